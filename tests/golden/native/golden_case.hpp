#pragma once
// One golden case as its topic's runner sees it: parameters, inputs, what is expected and what has
// been checked of it so far.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "../../close.hpp"
#include "attn/base/tensor.hpp"

namespace attn::golden {

using Json = nlohmann::json;

struct NotImplemented : std::runtime_error {
  using std::runtime_error::runtime_error;
};

inline double number(const Json& x) {
  if (x.is_boolean()) return x.get<bool>() ? 1 : 0;
  if (x.is_null()) return std::numeric_limits<double>::quiet_NaN();
  if (x.is_string()) return std::strtod(x.get<std::string>().c_str(), nullptr);
  return x.get<double>();
}

/// The numbers of a plain number or of {shape, data}.
inline std::vector<double> numbers(const Json& x) {
  std::vector<double> all;
  if (x.is_object()) {
    for (const Json& one : x.at("data")) all.push_back(number(one));
  } else {
    all.push_back(number(x));
  }
  return all;
}

inline std::vector<Index> shape_of(const Json& x) {
  return x.is_object() ? x.at("shape").get<std::vector<Index>>() : std::vector<Index>{};
}

template <typename T>
std::vector<double> flat(const Matrix<T>& x) {
  return std::vector<double>(x.data(), x.data() + x.size());
}

template <typename T>
std::vector<double> flat(const Vector<T>& x) {
  return std::vector<double>(x.data(), x.data() + x.size());
}

/// One case at one precision: its inputs, and which expected results have been checked so far.
template <typename T>
class Case {
 public:
  explicit Case(const Json& given) : given_(given) {
    const bool wide = std::is_same_v<T, double>;
    const auto tolerance = [&](const char* narrow_key, const char* wide_key) {
      if (wide && given.contains(wide_key)) return given.at(wide_key).get<double>();
      return given.value(narrow_key, 0.0);
    };
    rtol_ = tolerance("rtol", "rtol64");
    atol_ = tolerance("atol", "atol64");
  }

  const Json& params() const { return given_.at("params"); }
  bool has_param(const char* name) const { return params().contains(name); }
  double param(const char* name, double otherwise) const {
    return has_param(name) ? number(params().at(name)) : otherwise;
  }
  bool has_input(const char* name) const { return given_.at("inputs").contains(name); }
  const Json& input(const char* name) const { return given_.at("inputs").at(name); }
  bool expects(const std::string& key) const { return given_.at("expected").contains(key); }
  const Json& expected(const std::string& key) const { return given_.at("expected").at(key); }

  /// Fails the case when it has a parameter or an input that its runner does not know, because such
  /// a value could change what the case means.
  void require_known(const std::set<std::string>& parameters,
                     const std::set<std::string>& inputs) const {
    for (const auto& [key, value] : params().items()) {
      if (!parameters.contains(key)) throw NotImplemented("parameter " + key);
    }
    for (const auto& [key, value] : given_.at("inputs").items()) {
      if (!inputs.contains(key)) throw NotImplemented("input " + key);
    }
  }

  /// The matrix of that name, or a vector as one row; empty when the case has no such input.
  Matrix<T> matrix(const char* name) const {
    if (!has_input(name)) return {};
    const std::vector<Index> shape = shape_of(input(name));
    const std::vector<double> data = numbers(input(name));
    if (shape.size() > 2) throw NotImplemented(std::string(name) + " has more than two axes");
    const Index cols = shape.empty() ? 1 : shape.back();
    Matrix<T> made(static_cast<Index>(data.size()) / std::max<Index>(cols, 1), cols);
    for (Index i = 0; i < made.size(); ++i) {
      made.data()[i] = static_cast<T>(data[static_cast<std::size_t>(i)]);
    }
    return made;
  }

  /// The input of that name as a vector; empty when the case has no such input.
  Vector<T> vector(const char* name) const {
    const Matrix<T> found = matrix(name);
    return Eigen::Map<const Vector<T>>(found.data(), found.size());
  }

  /// Compares `got` with what is expected under `key`, if anything is.
  void check(const std::string& key, const std::vector<double>& got) {
    if (!expects(key)) return;
    checked_.insert(key);
    const std::vector<double> want = numbers(expected(key));
    if (want.size() != got.size()) {
      return fail(key + ": " + std::to_string(got.size()) + " numbers instead of " +
                  std::to_string(want.size()));
    }
    for (std::size_t i = 0; i < want.size(); ++i) {
      if (!test::close(got[i], want[i], rtol_, atol_)) {
        char text[160];
        std::snprintf(text, sizeof text, "%s[%zu]: %.9g instead of %.9g", key.c_str(), i, got[i],
                      want[i]);
        return fail(text);
      }
    }
  }

  /// Compares one number of a random experiment. It may differ by at most `distance`, and by at
  /// most what rtol and atol of the float32 build allow.
  void check_within(const std::string& key, double got, double distance) {
    if (!expects(key)) return;
    checked_.insert(key);
    const double want = number(expected(key));
    const double allowed = std::min(distance, given_.at("atol").get<double>() +
                                                  given_.at("rtol").get<double>() * std::abs(want));
    if (test::close(got, want, 0, allowed)) return;
    char text[160];
    std::snprintf(text, sizeof text, "%s: %.6g instead of %.6g within %.3g", key.c_str(), got, want,
                  allowed);
    fail(text);
  }

  /// Marks keys that are not results but explain how to read one.
  void note_read(const std::string& key) {
    if (expects(key)) checked_.insert(key);
  }
  void fail(const std::string& why) {
    if (failure_.empty()) failure_ = why;
  }
  const std::string& failure() const { return failure_; }
  std::vector<std::string> unchecked() const {
    std::vector<std::string> left;
    for (const auto& [key, value] : given_.at("expected").items()) {
      if (!checked_.contains(key)) left.push_back(key);
    }
    return left;
  }

 private:
  const Json& given_;
  double rtol_ = 0, atol_ = 0;
  std::set<std::string> checked_;
  std::string failure_;
};

/// Cuts tensors with a head axis into one matrix for each head, and joins results again, in the
/// layout of the case: [n, heads, d] unless the case names [heads, n, d]; none for plain matrices.
class Heads {
 public:
  template <typename T>
  explicit Heads(const Case<T>& c) {
    const auto shape = shape_of(c.input("Q"));
    plain_ = shape.size() == 2;
    if (!plain_ && shape.size() != 3) throw NotImplemented("Q has a batch axis");
    first_ = c.has_param("layout");
    if (first_ && c.params().at("layout") != "[heads,n,d]") {
      throw NotImplemented("layout " + c.params().at("layout").dump());
    }
    count_ = plain_ ? 1 : shape[first_ ? 0 : 1];
  }

  Index count() const { return count_; }

  /// Keys and values may have fewer heads than queries, each for as many query heads in a row.
  template <typename T>
  Matrix<T> cut(const Case<T>& c, const char* name, Index head) const {
    if (plain_) return c.matrix(name);
    const std::vector<Index> shape = shape_of(c.input(name));
    const std::vector<double> data = numbers(c.input(name));
    if (shape.size() != 3) throw NotImplemented(std::string(name) + " has a batch axis");
    const Index own = shape[first_ ? 0 : 1], rows = shape[first_ ? 1 : 0], cols = shape[2];
    if (own < 1 || count_ % own != 0) {
      throw NotImplemented(std::string(name) + " has heads of its own");
    }
    const Index at = head * own / count_;
    Matrix<T> made(rows, cols);
    for (Index i = 0; i < rows; ++i) {
      for (Index j = 0; j < cols; ++j) {
        made(i, j) = static_cast<T>(data[offset(at, own, i, j, rows, cols)]);
      }
    }
    return made;
  }

  template <typename T>
  std::vector<double> join(const std::vector<Matrix<T>>& heads) const {
    const Index rows = heads[0].rows(), cols = heads[0].cols();
    std::vector<double> all(static_cast<std::size_t>(count_ * rows * cols));
    for (Index h = 0; h < count_; ++h) {
      for (Index i = 0; i < rows; ++i) {
        for (Index j = 0; j < cols; ++j) {
          all[offset(h, count_, i, j, rows, cols)] = heads[static_cast<std::size_t>(h)](i, j);
        }
      }
    }
    return all;
  }

 private:
  std::size_t offset(Index head, Index heads, Index i, Index j, Index rows, Index cols) const {
    const Index row = first_ ? head * rows + i : i * heads + head;
    return static_cast<std::size_t>(row * cols + j);
  }

  bool plain_ = false, first_ = false;
  Index count_ = 1;
};

/// States and weights always have the head axis in front, in every layout.
template <typename T>
std::vector<double> stacked(const std::vector<Matrix<T>>& heads) {
  std::vector<double> all;
  for (const Matrix<T>& head : heads) {
    const std::vector<double> part = flat(head);
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

/// Runs the cases of one topic. `table` is tests/golden/tables/feature_maps.json.
template <typename T>
using Topic = void (*)(Case<T>&, const Json& table);

/// The topics of a chapter by name: a source file each.
template <typename T>
const std::map<std::string, Topic<T>>& cache_topics();
template <typename T>
const std::map<std::string, Topic<T>>& kernel_topics();
template <typename T>
const std::map<std::string, Topic<T>>& kernel_machine_topics();
template <typename T>
const std::map<std::string, Topic<T>>& layer_topics();
template <typename T>
const std::map<std::string, Topic<T>>& mixer_topics();
template <typename T>
const std::map<std::string, Topic<T>>& model_topics();
template <typename T>
const std::map<std::string, Topic<T>>& nn_topics();

}  // namespace attn::golden
