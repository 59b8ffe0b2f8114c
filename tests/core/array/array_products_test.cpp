#include <cmath>
#include <string>

#include "array_util.hpp"

using namespace attn::array;
using attn::array::test::Dice;
using attn::array::test::entry;
using attn::array::test::error_of;
using attn::array::test::for_each_index;

namespace {

/// The product of matrices by its definition.
Array naive(const Array& x, const Array& y) {
  Array out = zeros({x.shape()[0], y.shape()[1]});
  for (Index i = 0; i < x.shape()[0]; ++i) {
    for (Index j = 0; j < y.shape()[1]; ++j) {
      for (Index k = 0; k < x.shape()[1]; ++k) out(i, j) += x(i, k) * y(k, j);
    }
  }
  return out;
}

}  // namespace

TEST_SUITE_BEGIN("array_products");

TEST_CASE("matmul equals its definition for every shape around its tile sizes") {
  Dice dice(1);
  for (const Index m : {1, 3, 4, 5, 9}) {
    for (const Index n : {1, 3, 4, 5, 8, 9, 17}) {
      for (const Index k : {0, 1, 2, 7}) {
        const Array x = dice.normal({m, k}), y = dice.normal({k, n});
        CHECK_SAME(matmul(x, y), naive(x, y));
        CHECK_SAME(matmul(transpose(transpose(x).copy()), flip(flip(y).copy())), naive(x, y));
        const Array single = matmul(x.astype(Dtype::kFloat32), y.astype(Dtype::kFloat32));
        CHECK(single.dtype() == Dtype::kFloat32);
        CHECK(allclose(single, naive(x, y), 1e-5, 1e-5));
      }
    }
  }
}

TEST_CASE("stacks are multiplied one by one, and broadcast") {
  Dice dice(2);
  const Array x = dice.normal({2, 1, 3, 4}), y = dice.normal({5, 4, 2});
  const Array z = matmul(x, y);
  REQUIRE(z.shape() == Shape{2, 5, 3, 2});
  for (Index a = 0; a < 2; ++a) {
    for (Index b = 0; b < 5; ++b) CHECK_SAME(z[a][b], naive(x[a][0], y[b]));
  }
  CHECK(matmul(dice.normal({4}), dice.normal({4})).rank() == 0);
  CHECK(matmul(dice.normal({3, 4}), dice.normal({4})).shape() == Shape{3});
  CHECK(matmul(dice.normal({4}), y).shape() == Shape{5, 2});
  CHECK(error_of([&] { matmul(x, x); }) ==
        "ValueError: matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc "
        "signature (n?,k),(k,m?)->(n?,m?) (size 3 is different from 4)");
}

TEST_CASE("einsum equals the loop over all its letters, for specifications drawn at random") {
  Dice dice(3);
  const std::string alphabet = "abcd";
  for (int trial = 0; trial < 300; ++trial) {
    Shape lengths;
    for (std::size_t k = 0; k < alphabet.size(); ++k) lengths.push_back(dice(1, 3));
    std::vector<std::string> inputs;
    std::vector<Array> operands;
    std::string spec, used;
    const Index count = dice(1, 3);
    for (Index k = 0; k < count; ++k) {
      std::string letters;
      Shape shape;
      for (Index axis = dice(0, 3); axis > 0; --axis) {
        const auto letter = static_cast<int>(dice(0, 3));
        letters += alphabet[static_cast<std::size_t>(letter)];
        shape.push_back(lengths[letter]);
      }
      spec += (k > 0 ? "," : "") + letters;
      used += letters;
      inputs.push_back(letters);
      operands.push_back(dice.normal(shape));
    }
    std::string output;
    for (const char c : used) {
      if (output.find(c) == std::string::npos && dice(0, 1) == 0) output += c;
    }
    // The definition is a loop over a, b, c and d; letters that no operand has are left out.
    Shape loop, out_shape;
    for (std::size_t k = 0; k < alphabet.size(); ++k) {
      const bool there = used.find(alphabet[k]) != std::string::npos;
      loop.push_back(there ? lengths[static_cast<int>(k)] : 1);
    }
    const auto place = [&](const Shape& at, const std::string& letters) {
      Shape index;
      for (const char c : letters) index.push_back(at[static_cast<int>(alphabet.find(c))]);
      return index;
    };
    for (const char c : output) out_shape.push_back(lengths[static_cast<int>(alphabet.find(c))]);
    std::vector<double> sums(static_cast<std::size_t>(out_shape.size()), 0.0);
    for_each_index(loop, [&](const Shape& at, Index) {
      double product = 1;
      for (std::size_t k = 0; k < operands.size(); ++k) {
        product *= entry(operands[k], place(at, inputs[k]));
      }
      Index flat = 0;
      const Shape to = place(at, output);
      for (int axis = 0; axis < to.rank(); ++axis) flat = flat * out_shape[axis] + to[axis];
      sums[static_cast<std::size_t>(flat)] += product;
    });
    CAPTURE(spec);
    CAPTURE(output);
    reset_counts();
    const Array result = einsum(spec + "->" + output, operands);
    CHECK(counts().multiply_adds == static_cast<std::uint64_t>(loop.size() * (count - 1)));
    CHECK_SAME(result, array(sums, out_shape));
  }
}

TEST_CASE("any text is a specification or an error, never a crash") {
  Dice dice(4);
  const std::string alphabet = "ab,->. 1i";
  int fine = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    std::string spec;
    for (Index length = dice(0, 8); length > 0; --length) {
      spec += alphabet[static_cast<std::size_t>(dice(0, static_cast<Index>(alphabet.size()) - 1))];
    }
    std::vector<Array> operands;
    for (Index k = dice(0, 2); k >= 0; --k) operands.push_back(ones({2, 2}));
    if (error_of([&] { einsum(spec, operands); }).empty()) ++fine;
  }
  CHECK(fine > 10);
}

TEST_CASE("factors multiply to the matrix, and have the properties of their names") {
  Dice dice(5);
  for (const auto& [m, n] : {std::pair<Index, Index>{1, 1}, {3, 3}, {6, 4}, {4, 6}, {12, 12}}) {
    const Array x = dice.normal({m, n}), square_matrix = dice.normal({n, n});
    const Array symmetric = square_matrix + transpose(square_matrix);
    const Array one = eye(n);
    for (const bool full_matrices : {false, true}) {
      const Svd parts = svd(x, full_matrices);
      const Index k = std::min(m, n);
      CHECK_SAME(matmul(parts.u.cols(0, k) * parts.s, parts.vh.rows(0, k)), x);
      CHECK_SAME(matmul(transpose(parts.u), parts.u), eye(parts.u.shape()[1]));
      CHECK_SAME(matmul(parts.vh, transpose(parts.vh)), eye(parts.vh.shape()[0]));
      CHECK(all(diff(parts.s) <= 0.0).item() == 1);
    }
    const auto [q, r] = qr(x);
    CHECK_SAME(matmul(q, r), x);
    CHECK_SAME(matmul(transpose(q), q), eye(q.shape()[1]));
    CHECK_SAME(r, triu(r));
    const auto [values, vectors] = eigh(symmetric);
    CHECK_SAME(matmul(symmetric, vectors), vectors * values);
    CHECK_SAME(matmul(transpose(vectors), vectors), one);
    CHECK(all(diff(values) >= 0.0).item() == 1);
    const Array positive = matmul(square_matrix, transpose(square_matrix)) + one;
    CHECK_SAME(matmul(cholesky(positive), transpose(cholesky(positive))), positive);
    CHECK_SAME(matmul(inv(positive), positive), one);
    CHECK_SAME(matmul(positive, solve(positive, x.row(0))), x.row(0));
    CHECK(det(positive).item() == doctest::Approx(prod(eigvalsh(positive)).item()));
    CHECK_SAME(matmul(matmul(x, pinv(x)), x), x);
    CHECK(matrix_rank(x).item() == static_cast<double>(std::min(m, n)));
  }
}

TEST_CASE("a matrix without full rank has orthonormal vectors all the same") {
  const Array x = outer(array({1, 2, 3, 4}), array({1, 0, -1}));
  const Svd parts = svd(x);
  CHECK(matrix_rank(x).item() == 1);
  CHECK_SAME(matmul(transpose(parts.u), parts.u), eye(4));
  CHECK(parts.s(0) == doctest::Approx(std::sqrt(30.0 * 2)));
  CHECK(error_of([&] { inv(zeros({2, 2})); }) == "LinAlgError: Singular matrix");
  CHECK(error_of([&] {
          inv(zeros({2, 3}));
        }) == "LinAlgError: Last 2 dimensions of the array must be square");
  CHECK(error_of([&] { cholesky(-eye(2)); }) == "LinAlgError: Matrix is not positive definite");
}

TEST_SUITE_END();
