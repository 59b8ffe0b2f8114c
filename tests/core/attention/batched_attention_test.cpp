#include "attn/attention/batched_attention.hpp"

#include "stack_util.hpp"
#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

TEST_SUITE_BEGIN("batched_attention");

namespace {

template <typename T>
struct BatchedInputs {
  Stack<T> Q = random_stack<T>(3, 2, 5, 4, 1), K = random_stack<T>(3, 2, 7, 4, 2),
           V = random_stack<T>(3, 2, 7, 6, 3), dO = random_stack<T>(3, 2, 5, 6, 4);
};

}  // namespace

TEST_CASE_TEMPLATE("every head of every batch entry equals attention on its own", T, float,
                   double) {
  const BatchedInputs<T> x;
  BatchedAttentionOptions<T> options;
  options.attention.mask = Mask::causal_bottom_right();
  options.attention.bias = random<T>(5, 7, 9);
  options.attention.scale = 0.3;
  const auto got = attention<T>(x.Q, x.K, x.V, options);
  const auto slopes = attention_backward<T>(x.Q, x.K, x.V, x.dO, options);
  CHECK(shape_text(got.output) == "3×2×5×6");
  CHECK(shape_text(got.weights) == "3×2×5×7");
  CHECK(shape_text(got.log_sum_exp) == "3×2×5×1");
  Matrix<T> d_bias = Matrix<T>::Zero(5, 7);
  for (Index b = 0; b < 3; ++b) {
    for (Index h = 0; h < 2; ++h) {
      const auto one = attention<T>(x.Q(b, h), x.K(b, h), x.V(b, h), options.attention);
      CHECK_CLOSE(got.output(b, h), one.output, 0, 0);
      CHECK_CLOSE(got.weights(b, h), one.weights, 0, 0);
      CHECK_CLOSE(got.log_sum_exp(b, h), one.log_sum_exp, 0, 0);
      const auto back =
          attention_backward<T>(x.Q(b, h), x.K(b, h), x.V(b, h), x.dO(b, h), options.attention);
      CHECK_CLOSE(slopes.dQ(b, h), back.dQ, 0, 0);
      CHECK_CLOSE(slopes.dK(b, h), back.dK, 0, 0);
      CHECK_CLOSE(slopes.dV(b, h), back.dV, 0, 0);
      d_bias += back.d_bias;
    }
  }
  CHECK_CLOSE(slopes.d_bias, d_bias, 0, 0);
  // The heads differ, so a head that is read from the wrong place would be noticed.
  CHECK_FALSE(got.output(0, 1).isApprox(got.output(1, 0)));
}

TEST_CASE("weights are returned only on request, and bias gradients only with a bias") {
  const BatchedInputs<float> x;
  BatchedAttentionOptions<> options;
  options.weights = false;
  const auto got = attention(x.Q, x.K, x.V, options);
  CHECK(got.weights.size() == 0);
  CHECK_CLOSE(got.output(2, 1), attention(x.Q, x.K, x.V).output(2, 1), 0, 0);
  CHECK(attention_backward(x.Q, x.K, x.V, x.dO).d_bias.size() == 0);
}

TEST_CASE("every batch entry can have a mask of its own, such as padding") {
  const BatchedInputs<float> x;
  BatchedAttentionOptions<> options;
  for (const Index valid : {7, 4, 0}) {
    Matrix<> keep = Matrix<>::Zero(5, 7);
    keep.leftCols(valid).setOnes();
    options.batch_masks.push_back(Mask::from_matrix<float>(keep));
  }
  const auto got = attention(x.Q, x.K, x.V, options);
  CHECK_CLOSE(got.output(0, 1), attention(x.Q(0, 1), x.K(0, 1), x.V(0, 1)).output, 0, 0);
  CHECK_CLOSE(got.output(1, 1),
              attention(x.Q(1, 1), x.K(1, 1).topRows(4), x.V(1, 1).topRows(4)).output, kFloat,
              kFloat);
  CHECK(got.output(2, 0).isZero(0));
  const auto slopes = attention_backward(x.Q, x.K, x.V, x.dO, options);
  CHECK(slopes.dK(1, 0).bottomRows(3).isZero(0));
  CHECK_FALSE(slopes.dK(1, 0).topRows(4).isZero(0));
}

TEST_CASE("dropout draws its own cells for every head, or takes given cells head below head") {
  const BatchedInputs<float> x;
  BatchedAttentionOptions<> drawn, given;
  drawn.dropout.probability = given.dropout.probability = 0.5;
  drawn.dropout.seed = 7;
  given.dropout.keep.edit().resize(30, 7);
  for (Index place = 0; place < 6; ++place) {
    Dropout<> one;
    one.probability = 0.5;
    one.seed = 7;
    one.stream = static_cast<std::uint64_t>(place);
    given.dropout.keep.edit().middleRows(place * 5, 5) = dropout_keep(5, 7, one);
  }
  CHECK_FALSE(given.dropout.keep->topRows(5).isApprox(given.dropout.keep->middleRows(5, 5)));
  const auto a = attention(x.Q, x.K, x.V, drawn), b = attention(x.Q, x.K, x.V, given);
  const auto da = attention_backward(x.Q, x.K, x.V, x.dO, drawn),
             db = attention_backward(x.Q, x.K, x.V, x.dO, given);
  for (Index entry = 0; entry < 3; ++entry) {
    for (Index h = 0; h < 2; ++h) {
      CHECK_CLOSE(a.output(entry, h), b.output(entry, h), 0, 0);
      CHECK_CLOSE(da.dK(entry, h), db.dK(entry, h), 0, 0);
    }
  }
  CHECK_FALSE(a.output(0, 0).isApprox(attention(x.Q, x.K, x.V).output(0, 0)));
}

TEST_CASE("arguments that do not fit are refused by name") {
  const BatchedInputs<float> x;
  const Stack<float> one_head(3, 1, 7, 4);
  CHECK(error_of([&] { attention(Stack<float>(), x.K, x.V); }).argument() == "Q");
  const Error error = error_of([&] { attention(x.Q, one_head, x.V); });
  CHECK(error.argument() == "K");
  CHECK(error.seen().text() == "3×1×7×4");
  CHECK(error_of([&] { attention(x.Q, x.K, one_head); }).argument() == "V");
  CHECK(error_of([&] { attention(x.Q, x.V, x.V); }).argument() == "K");
  CHECK(error_of([&] { attention_backward(x.Q, x.K, x.V, one_head); }).argument() == "dO");
  BatchedAttentionOptions<> options;
  options.batch_masks = {Mask::causal()};
  CHECK(error_of([&] { attention(x.Q, x.K, x.V, options); }).argument() == "batch_masks");
  options.batch_masks.clear();
  options.dropout.keep = Matrix<>::Ones(5, 7);
  CHECK(error_of([&] { attention(x.Q, x.K, x.V, options); }).argument() == "dropout.keep");
}

TEST_SUITE_END();
