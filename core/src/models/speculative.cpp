#include "attn/models/speculative.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "attn/base/errors.hpp"
#include "attn/models/phrases.hpp"

namespace attn {
namespace {

/// How far a sum of probabilities may be from 1: float32's rounding of a large vocabulary.
constexpr double kSumSlack = 1e-3;

template <typename T>
void require_distributions(std::string_view argument, In<T> rows) {
  require_finite<T>(argument, rows);
  for (Index i = 0; i < rows.rows(); ++i) {
    const double sum = rows.row(i).template cast<double>().sum();
    if (rows.row(i).minCoeff() < T(0) || std::abs(sum - 1) > kSumSlack) {
      throw ValueError(argument, phrase::at_cell(sum, i, 0), phrase::rows_that_sum_to_one);
    }
  }
}

void require_gamma(std::string_view argument, Index gamma) {
  if (gamma >= 0 && gamma <= kMostDrafts) return;
  throw ValueError(argument, phrase::number(gamma), phrase::range(0, kMostDrafts));
}

/// Σ min(p, q).
template <typename P, typename Q>
double overlap(const P& p, const Q& q) {
  double sum = 0;
  for (Index x = 0; x < p.size(); ++x) {
    sum += std::min(static_cast<double>(p(x)), static_cast<double>(q(x)));
  }
  return sum;
}

/// max(0, p − q), which is what a refused draft is replaced from. p itself where nothing is left:
/// then a draft can only have been refused by rounding.
template <typename P, typename Q>
Vector<double> left_over(const P& p, const Q& q) {
  Vector<double> rest(p.size());
  for (Index x = 0; x < p.size(); ++x) {
    rest(x) = std::max(static_cast<double>(p(x)) - static_cast<double>(q(x)), 0.0);
  }
  if (rest.sum() > 0) return rest;
  for (Index x = 0; x < p.size(); ++x) rest(x) = static_cast<double>(p(x));
  return rest;
}

/// The first token whose running sum exceeds u times the whole sum; the last possible one where
/// rounding leaves none.
template <typename Weights>
Index drawn(const Weights& weights, double u) {
  double whole = 0, sum = 0;
  for (Index x = 0; x < weights.size(); ++x) whole += static_cast<double>(weights(x));
  Index last = 0;
  for (Index x = 0; x < weights.size(); ++x) {
    const auto weight = static_cast<double>(weights(x));
    if (weight <= 0) continue;
    last = x;
    sum += weight;
    if (sum > u * whole) return x;
  }
  return last;
}

template <typename P, typename Q>
bool accepted(const P& p, const Q& q, Index token, double u) {
  // A draft has q > 0. With u below 1, p ≥ q always passes.
  return u * static_cast<double>(q(token)) <= static_cast<double>(p(token)) &&
         static_cast<double>(p(token)) > 0;
}

/// Q(a, x) = Γ(a, x)/Γ(a), the regularised upper incomplete gamma function, for a > 0 and x ≥ 0
/// (Press et al., Numerical Recipes, section 6.2): the series of 1 − Q where x is small, Lentz's
/// continued fraction where it is large.
double upper_gamma(double a, double x) {
  if (x == 0) return 1;
  if (std::isinf(x)) return 0;
  constexpr double kEnough = 1e-15, kTiny = 1e-300;
  const double front = std::exp(a * std::log(x) - x - std::lgamma(a));
  if (x < a + 1) {
    double term = 1 / a, sum = term;
    for (double k = a + 1; term > sum * kEnough; ++k) sum += term *= x / k;
    return 1 - front * sum;
  }
  double b = x + 1 - a, c = 1 / kTiny, d = 1 / b, product = d, change = 0;
  for (double k = 1; std::abs(change - 1) > kEnough && k < 1e5; ++k) {
    const double factor = k * (a - k);
    b += 2;
    d = factor * d + b;
    if (std::abs(d) < kTiny) d = kTiny;
    c = b + factor / c;
    if (std::abs(c) < kTiny) c = kTiny;
    d = 1 / d;
    product *= change = c * d;
  }
  return front * product;
}

double tokens_of_run(double alpha, Index gamma) {
  // The sum, not the fraction, so that α = 1 needs no rule of its own.
  double sum = 1, power = 1;
  for (Index i = 0; i < gamma; ++i) sum += power *= alpha;
  return sum;
}

}  // namespace

template <typename T>
SpeculativePair<T> speculative_pair(InVector<T> p, InVector<T> q) {
  if (p.size() == 0) throw ShapeError("p", phrase::empty, phrase::at_least_one);
  require_shape<T>("q", q.transpose(), 1, p.size(), phrase::probability_each_token);
  require_distributions<T>("p", p.transpose());
  require_distributions<T>("q", q.transpose());
  const T none = std::numeric_limits<T>::quiet_NaN();
  SpeculativePair<T> made{overlap(p, q), Vector<T>(p.size()), Vector<T>(p.size())};
  const Vector<double> rest =
      (p - q).cwiseMax(T(0)).template cast<double>();  // All 0 where p = q: then it is NaN.
  const double sum = rest.sum();
  for (Index x = 0; x < p.size(); ++x) {
    made.accept(x) = q(x) > T(0) ? std::min(p(x) / q(x), T(1)) : none;
    made.residual(x) = sum > 0 ? static_cast<T>(rest(x) / sum) : none;
  }
  return made;
}

TokenTest chi_squared(std::span<const double> counts_of, std::span<const double> p) {
  if (counts_of.empty()) throw ShapeError("counts", phrase::empty, phrase::at_least_one);
  using Read = Eigen::Map<const Vector<double>>;
  const Read counts(counts_of.data(), static_cast<Index>(counts_of.size()));
  const Read probabilities(p.data(), static_cast<Index>(p.size()));
  require_shape<double>("probabilities", probabilities.transpose(), 1, counts.size(),
                        phrase::probability_each_token);
  require_distributions<double>("probabilities", probabilities.transpose());
  require_finite<double>("counts", counts.transpose());
  const double draws = counts.sum();
  if (counts.minCoeff() < 0) {
    throw ValueError("counts", phrase::number(counts.minCoeff()), phrase::number_of_at_least(0));
  }
  if (!(draws > 0)) throw ValueError("counts", phrase::none, phrase::at_least_one_token);
  constexpr double kLeast = 5;
  const double whole = probabilities.sum();
  const auto expected = [&](Index x) { return draws * probabilities(x) / whole; };
  std::vector<std::int32_t> tokens(static_cast<std::size_t>(counts.size()));
  std::iota(tokens.begin(), tokens.end(), 0);
  std::stable_sort(tokens.begin(), tokens.end(), [&](std::int32_t a, std::int32_t b) {
    return probabilities(a) > probabilities(b);
  });
  TokenTest made;
  std::size_t own = 0;
  while (own < tokens.size() && expected(tokens[own]) >= kLeast) ++own;
  double rest = 0, seen = 0;
  for (std::size_t i = own; i < tokens.size(); ++i) {
    rest += expected(tokens[i]);
    seen += counts(tokens[i]);
  }
  // Alone, a cell that expects next to nothing would decide the test by a single draw. A token that
  // cannot come at all is left alone: then it does decide.
  if (own > 0 && rest > 0 && rest < kLeast) {
    --own;
    rest += expected(tokens[own]);
    seen += counts(tokens[own]);
  }
  made.own_cells.assign(tokens.begin(), tokens.begin() + static_cast<std::ptrdiff_t>(own));
  const auto add = [&made](double count, double wanted) {
    made.statistic += count == wanted ? 0 : (count - wanted) * (count - wanted) / wanted;
  };
  for (const std::int32_t token : made.own_cells) add(counts(token), expected(token));
  if (rest > 0 || seen > 0) add(seen, rest);
  const auto cells = static_cast<Index>(own) + (rest > 0 ? 1 : 0);
  made.freedom = std::max<Index>(cells - 1, 0);
  if (std::isinf(made.statistic)) {
    made.chance = 0;
  } else if (made.freedom > 0) {
    made.chance = upper_gamma(static_cast<double>(made.freedom) / 2, made.statistic / 2);
  }
  return made;
}

SpeculativeGain speculative_gain(std::span<const double> alphas, const std::vector<Index>& gammas,
                                 std::span<const double> costs) {
  if (alphas.empty()) throw ShapeError("alphas", phrase::empty, phrase::at_least_one);
  if (gammas.empty()) throw ShapeError("gammas", phrase::empty, phrase::at_least_one);
  for (const double alpha : alphas) {
    if (!(alpha >= 0 && alpha <= 1)) {
      throw ValueError("alphas", phrase::number(alpha), phrase::range(0, 1));
    }
  }
  for (const Index gamma : gammas) require_gamma("gammas", gamma);
  for (const double cost : costs) {
    if (!(cost >= 0) || !std::isfinite(cost)) {
      throw ValueError("costs", phrase::number(cost), phrase::number_of_at_least(0));
    }
  }
  const auto count = [](const auto& list) { return static_cast<Index>(list.size()); };
  SpeculativeGain made{Matrix<double>(count(alphas), count(gammas)),
                       {},
                       Matrix<double>(count(alphas), count(costs))};
  for (Index a = 0; a < count(alphas); ++a) {
    for (Index g = 0; g < count(gammas); ++g) {
      made.expected_tokens(a, g) =
          tokens_of_run(alphas[static_cast<std::size_t>(a)], gammas[static_cast<std::size_t>(g)]);
    }
    Matrix<double> speedup(count(costs), count(gammas));
    for (Index c = 0; c < count(costs); ++c) {
      for (Index g = 0; g < count(gammas); ++g) {
        const auto gamma = static_cast<double>(gammas[static_cast<std::size_t>(g)]);
        speedup(c, g) =
            made.expected_tokens(a, g) / (gamma * costs[static_cast<std::size_t>(c)] + 1);
      }
      Index best = 0;
      for (Index g = 1; g < count(gammas); ++g) {
        if (speedup(c, g) > speedup(c, best)) best = g;
      }
      made.best_gamma(a, c) = static_cast<double>(gammas[static_cast<std::size_t>(best)]);
    }
    made.speedup.push_back(std::move(speedup));
  }
  return made;
}

template <typename T>
SpeculativeChain<T> speculative_chain(In<T> P, In<T> Q, Index start, Index gamma, In<T> u) {
  const Index vocabulary = P.rows();
  if (vocabulary == 0) throw ShapeError("P", phrase::empty, phrase::at_least_one_row);
  require_shape<T>("P", P, vocabulary, vocabulary, phrase::token_after_each);
  require_shape<T>("Q", Q, vocabulary, vocabulary, phrase::token_after_each);
  require_distributions<T>("P", P);
  require_distributions<T>("Q", Q);
  require_gamma("gamma", gamma);
  if (start < 0 || start >= vocabulary) {
    throw ValueError("start", phrase::number(start), phrase::range(0, vocabulary - 1));
  }
  require_shape<T>("u", u, u.rows(), 2 * gamma + 1, phrase::draws_of_run);
  require_finite<T>("u", u);
  if (u.size() > 0 && (u.minCoeff() < T(0) || u.maxCoeff() >= T(1))) {
    const T wrong = u.minCoeff() < T(0) ? u.minCoeff() : u.maxCoeff();
    throw ValueError("u", phrase::number(static_cast<double>(wrong)), phrase::probability_range);
  }

  const Index runs = u.rows();
  SpeculativeChain<T> made;
  made.alpha.resize(vocabulary);
  for (Index a = 0; a < vocabulary; ++a) {
    made.alpha(a) = static_cast<T>(overlap(P.row(a), Q.row(a)));
  }
  made.drafts = Matrix<T>::Constant(runs, gamma, T(-1));
  made.tokens = Matrix<T>::Constant(runs, gamma + 1, T(-1));
  Index last = start;
  for (Index t = 0; t < runs; ++t) {
    const auto number = [&](Index place) { return static_cast<double>(u(t, place)); };
    Index before = last;
    for (Index i = 0; i < gamma; ++i) {
      before = drawn(Q.row(before), number(i));
      made.drafts(t, i) = static_cast<T>(before);
    }
    Index kept = 0;
    before = last;
    for (; kept < gamma; ++kept) {
      const auto token = static_cast<Index>(made.drafts(t, kept));
      if (!accepted(P.row(before), Q.row(before), token, number(gamma + kept))) break;
      made.tokens(t, kept) = static_cast<T>(before = token);
    }
    last = kept < gamma ? drawn(left_over(P.row(before), Q.row(before)), number(2 * gamma))
                        : drawn(P.row(before), number(2 * gamma));
    made.tokens(t, kept) = static_cast<T>(last);
    made.accepted.push_back(static_cast<std::int32_t>(kept));
    for (Index i = 0; i <= kept; ++i) {
      made.text.push_back(static_cast<std::int32_t>(made.tokens(t, i)));
    }
  }

  // The probability that the drafts so far were accepted and the last of them is x.
  Vector<double> reached = Vector<double>::Zero(vocabulary);
  reached(start) = 1;
  made.expected_tokens_first_run = 1;
  const Matrix<double> both = P.cwiseMin(Q).template cast<double>();
  for (Index i = 0; i < gamma; ++i) {
    reached = (both.transpose() * reached).eval();
    made.expected_tokens_first_run += reached.sum();
  }
  return made;
}

template <typename T>
SpeculativeText speculative_generate(const LanguageModel<T>& target, const LanguageModel<T>& draft,
                                     std::span<const std::int32_t> prompt, Index count,
                                     const SpeculativeOptions& options, Rng& rng) {
  if (prompt.empty()) throw ShapeError("prompt", phrase::empty, phrase::at_least_one_token);
  if (count < 0) throw ValueError("count", phrase::number(count), phrase::at_least(0));
  require_gamma("gamma", options.gamma);
  if (draft.options().vocabulary != target.options().vocabulary) {
    throw ValueError("draft", phrase::vocabulary_seen(draft.options().vocabulary),
                     phrase::vocabulary_of_target(target.options().vocabulary));
  }
  const auto probabilities = [&](const LanguageModel<T>& model,
                                 typename LanguageModel<T>::State& state, std::int32_t token) {
    return token_probabilities<T>(model.step(state, token), options.sampling);
  };

  SpeculativeText made;
  // What both models have read: everything but the last token.
  auto read = target.start();
  auto drafting = draft.start();
  for (const std::int32_t token : prompt.first(prompt.size() - 1)) {
    target.step(read, token);
    draft.step(drafting, token);
  }
  std::int32_t last = prompt.back();
  double alphas = 0;
  while (static_cast<Index>(made.tokens.size()) < count) {
    const Index left = count - static_cast<Index>(made.tokens.size());
    const Index gamma = std::min(options.gamma, left - 1);
    std::vector<std::int32_t> drafts;
    std::vector<Vector<double>> q;
    // The draft's state after each of its tokens, to go back to after a refusal.
    std::vector<typename LanguageModel<T>::State> after;
    std::int32_t before = last;
    for (Index i = 0; i < gamma; ++i) {
      q.push_back(probabilities(draft, drafting, before));
      after.push_back(drafting);
      before = static_cast<std::int32_t>(drawn(q.back(), rng.uniform()));
      drafts.push_back(before);
    }
    made.draft_steps += gamma;
    Index kept = 0;
    Vector<double> p = probabilities(target, read, last);
    bool refused = false;
    for (; kept < gamma; ++kept) {
      const auto at = static_cast<std::size_t>(kept);
      ++made.decided;
      alphas += overlap(p, q[at]);
      refused = !accepted(p, q[at], drafts[at], rng.uniform());
      if (refused) break;
      made.tokens.push_back(drafts[at]);
      p = probabilities(target, read, drafts[at]);
    }
    made.accepted += kept;
    made.target_rows += kept + 1;
    made.target_rows_at_once += gamma + 1;
    made.refused.push_back(refused ? drafts[static_cast<std::size_t>(kept)] : -1);
    if (refused) {
      p = left_over(p, q[static_cast<std::size_t>(kept)]);
      drafting = std::move(after[static_cast<std::size_t>(kept)]);
    } else {
      // Everything was accepted, and the draft has not read its own last token yet.
      draft.step(drafting, gamma > 0 ? drafts.back() : last);
      ++made.draft_steps;
    }
    last = static_cast<std::int32_t>(drawn(p, rng.uniform()));
    made.tokens.push_back(last);
    made.tokens_of_runs.push_back(static_cast<std::int32_t>(kept + 1));
  }
  if (made.decided > 0) made.alpha = alphas / static_cast<double>(made.decided);
  if (!made.tokens_of_runs.empty()) {
    made.tokens_a_run =
        static_cast<double>(made.tokens.size()) / static_cast<double>(made.tokens_of_runs.size());
  }
  made.expected_tokens = tokens_of_run(made.alpha, options.gamma);
  return made;
}

#define ATTN_INSTANTIATE(T)                                                                   \
  template SpeculativePair<T> speculative_pair<T>(InVector<T>, InVector<T>);                  \
  template SpeculativeChain<T> speculative_chain<T>(In<T>, In<T>, Index, Index, In<T>);       \
  template SpeculativeText speculative_generate<T>(                                           \
      const LanguageModel<T>&, const LanguageModel<T>&, std::span<const std::int32_t>, Index, \
      const SpeculativeOptions&, Rng&);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
