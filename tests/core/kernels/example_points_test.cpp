#include "attn/kernels/example_points.hpp"

#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

TEST_CASE("example points lie where their pattern says, labels in turns, and noise moves them") {
  const auto rings = plane_points<double>(PlanePattern::kRings, 10, 0, 1);
  const auto crossed = plane_points<double>(PlanePattern::kXor, 10, 0, 1);
  const auto blobs = plane_points<double>(PlanePattern::kBlobs, 10, 0, 1);
  const auto moons = plane_points<double>(PlanePattern::kMoons, 10, 0, 1);
  for (Index i = 0; i < 10; ++i) {
    CHECK(rings.y(i) == (i % 2 == 0 ? 1 : -1));
    CHECK(std::abs(rings.X.row(i).norm() - (i % 2 == 0 ? 0.6 : 1.5)) < 1e-12);
    CHECK(crossed.X(i, 0) * crossed.X(i, 1) == crossed.y(i));
    CHECK(blobs.X.row(i).sum() * blobs.y(i) > 0);
    CHECK(std::abs((moons.X.row(i) - moons.y(i) * Matrix<double>{{-0.5, -0.25}}).norm() - 1) <
          1e-12);
  }
  CHECK((plane_points<double>(PlanePattern::kBlobs, 10, 0.3, 1).X - blobs.X).norm() > 0.3);
  const auto line = line_points<double>(LineFunction::kStep, 30, 0, 2);
  for (Index i = 0; i < 30; ++i) {
    CHECK(std::abs(line.X(i, 0)) <= 3);
    CHECK(line.y(i) == (line.X(i, 0) < 0 ? -1 : 1));
    if (i > 0) CHECK(line.X(i, 0) >= line.X(i - 1, 0));
  }
  Vector<double> angles(3);
  angles << 0, 1, -2;
  const auto circle = circle_points<double>(angles);
  CHECK_CLOSE(circle.rowwise().norm(), Vector<double>::Ones(3), 0, 1e-15);
  CHECK(std::abs(std::atan2(circle(2, 1), circle(2, 0)) + 2) < 1e-15);
  angles(1) = NAN;
  CHECK(error_of([&] { circle_points<double>(angles); }).argument() == "angles");
  const auto samples = two_samples<double>(4000, 2, 0.5, 3);
  CHECK(std::abs(samples.X.mean() + 1) < 0.06);
  CHECK(std::abs(samples.Y.mean() - 1) < 0.03);
  const double spread = (samples.Y.array() - samples.Y.mean()).matrix().norm() / std::sqrt(4000.0);
  CHECK(std::abs(spread - 0.5) < 0.02);
  CHECK(samples.X(3, 0) >= samples.X(2, 0));
  CHECK(error_of([] { two_samples<float>(3, 1, -1, 1); }).argument() == "spread");
  CHECK(error_of([] { two_samples<float>(3, NAN, 1, 1); }).argument() == "shift");
  CHECK(error_of([] { two_samples<float>(0, 1, 1, 1); }).argument() == "n");
  CHECK(error_of([] { plane_points<float>(PlanePattern::kXor, 1, 0, 1); }).argument() == "n");
  CHECK(error_of([] { line_points<float>(LineFunction::kSine, 3, -1, 1); }).argument() == "noise");
}
