// Calls of attn/kernels: kernels, their Gram matrices and functions, their features, and smoothing.

#include "attn/kernels/definiteness.hpp"
#include "attn/kernels/kernel.hpp"
#include "attn/kernels/kernel_features.hpp"
#include "attn/kernels/lift.hpp"
#include "attn/kernels/rkhs.hpp"
#include "attn/kernels/smoother.hpp"
#include "kernel_choice.hpp"

namespace attn::wasm {

// --- Kernels -------------------------------------------------------------------------------------

ATTN_ENUM(Definiteness, kPositiveSemidefinite, kIndefinite, kUnknown)
ATTN_STRUCT(KernelParameter, name, label, description, default_value, min, max, integer)
ATTN_STRUCT(KernelSource, title, url, where)
ATTN_STRUCT(RegisteredKernel, id, label, tex, definiteness, why, stationary, non_negative_points,
            source, parameters)
ATTN_CALL(full, kernels, (), attn::kernels)

/// What a kernel is with its parameters, and what a combination is.
struct KernelDescription {
  /// "rbf(gamma = 0.5) + 2·linear"
  std::string text;
  Definiteness definiteness = Definiteness::kUnknown;
  bool stationary = false;
};
ATTN_STRUCT(KernelDescription, text, definiteness, stationary)
/// What a kernel is with its parameters, and what a combination is.
ATTN_CALL(full, describe_kernel, (kernel), [](const KernelChoice& choice) {
  const Kernel<float> kernel = make_kernel<float>(choice);
  return KernelDescription{kernel.text(), kernel.definiteness(), kernel.stationary()};
})
/// k(x_i, y_j): rows(X)×rows(Y).
/// @param Y The rows of X unless given.
ATTN_CALL(full, kernel_gram, (kernel, X, Y),
          [](const KernelChoice& kernel, In<float> X, const std::optional<Matrix<float>>& Y) {
            const Kernel<float> k = make_kernel<float>(kernel);
            return Y ? k.gram(X, *Y) : k.gram(X);
          })

// --- Definiteness --------------------------------------------------------------------------------

ATTN_STRUCT(DefinitenessReport, eigenvalues, positive_semidefinite, tolerance, witness, form)
/// The eigenvalues of the Gram matrix at the rows of X, in float64, and a witness where one is
/// negative.
/// @param tolerance Of the largest eigenvalue; 0: what rounding in float64 explains.
ATTN_CALL(full, check_definiteness, (kernel, X, otherwise(tolerance, 0.0)),
          [](const KernelChoice& kernel, In<float> X, double tolerance) {
            return attn::check_definiteness<double>(wide(kernel).gram(X.cast<double>()), tolerance);
          })
/// αᵀKα at the rows of X, in float64.
/// @param alpha One weight for each row of X.
ATTN_CALL(full, quadratic_form, (kernel, X, alpha),
          [](const KernelChoice& kernel, In<float> X, InVector<float> alpha) {
            return attn::quadratic_form<double>(wide(kernel).gram(X.cast<double>()),
                                                alpha.cast<double>());
          })
ATTN_OPTIONS(WitnessSearchOptions, points, d, range, tries, seed)
ATTN_STRUCT(WitnessSearchResult, points, report, tried)
ATTN_STEPS(full, witness_search, 50, (kernel, flat(options)),
           [](const KernelChoice& kernel, const WitnessSearchOptions& how) {
             bool non_negative = registered_kernel(kernel.id).non_negative_points;
             for (const KernelStep& step : kernel.steps) {
               const bool other = step.operation == KernelOperation::kPlus ||
                                  step.operation == KernelOperation::kTimes;
               if (other) non_negative |= registered_kernel(step.id).non_negative_points;
             }
             return WitnessSearch(wide(kernel), non_negative, how);
           })

ATTN_STRUCT(Rings<float>, points, labels)
ATTN_CALL(full, draw_rings, (n, noise, seed), attn::draw_rings<float>)
ATTN_OPTIONS(LiftPlane, a, b, c)
ATTN_STRUCT(Lift<float>, lifted, sides, center_x, center_y, radius, kernel_difference)
ATTN_CALL(full, lift_to_paraboloid, (X, flat(plane)), attn::lift_to_paraboloid<float>)

// --- Functions of the RKHS -----------------------------------------------------------------------

/// f = Σ α_i k(x_i, ·) in float64, as the calls below compute.
inline RkhsFunction<double> function_of(In<float> points, InVector<float> alpha) {
  return {points.cast<double>(), alpha.cast<double>()};
}
ATTN_STRUCT(RkhsFunction<float>, points, alpha)
inline RkhsFunction<float> narrow(const RkhsFunction<double>& f) {
  return {f.points.cast<float>(), f.alpha.cast<float>()};
}

ATTN_CALL(full, rkhs_values, (kernel, X, alpha, Z),
          [](const KernelChoice& kernel, In<float> X, InVector<float> alpha, In<float> Z) {
            return Vector<float>(
                attn::rkhs_values<double>(wide(kernel), function_of(X, alpha), Z.cast<double>())
                    .cast<float>());
          })
ATTN_CALL(full, rkhs_squared_norm, (kernel, X, alpha),
          [](const KernelChoice& kernel, In<float> X, InVector<float> alpha) {
            return attn::rkhs_squared_norm<double>(wide(kernel), function_of(X, alpha));
          })
ATTN_CALL(full, rkhs_inner_product, (kernel, X, alpha, Y, beta),
          [](const KernelChoice& kernel, In<float> X, InVector<float> alpha, In<float> Y,
             InVector<float> beta) {
            return attn::rkhs_inner_product<double>(wide(kernel), function_of(X, alpha),
                                                    function_of(Y, beta));
          })
ATTN_STRUCT(RkhsProjection<float>, inside, inside_squared_norm, outside_squared_norm,
            largest_difference, rank)
ATTN_CALL(full, rkhs_projection, (kernel, X, alpha, Z),
          [](const KernelChoice& kernel, In<float> X, InVector<float> alpha, In<float> Z) {
            const auto made = attn::rkhs_projection<double>(wide(kernel), function_of(X, alpha),
                                                            Z.cast<double>());
            return RkhsProjection<float>{narrow(made.inside), made.inside_squared_norm,
                                         made.outside_squared_norm, made.largest_difference,
                                         made.rank};
          })
ATTN_CALL(full, rkhs_interpolation, (kernel, Z, y),
          [](const KernelChoice& kernel, In<float> Z, InVector<float> y) {
            return narrow(
                attn::rkhs_interpolation<double>(wide(kernel), Z.cast<double>(), y.cast<double>()));
          })
ATTN_CALL(full, mean_embedding, (X), attn::mean_embedding<float>)
ATTN_STRUCT(MeanDiscrepancy<float>, biased, unbiased, witness)
ATTN_CALL(full, maximum_mean_discrepancy, (kernel, X, Y),
          [](const KernelChoice& kernel, In<float> X, In<float> Y) {
            const auto made = attn::maximum_mean_discrepancy<double>(wide(kernel), X.cast<double>(),
                                                                     Y.cast<double>());
            return MeanDiscrepancy<float>{made.biased, made.unbiased, narrow(made.witness)};
          })

// --- Features ------------------------------------------------------------------------------------

ATTN_ENUM(FourierForm, kOffset, kPaired, kOrthogonal)
ATTN_STRUCT(FourierFrequencies<float>, W, row(b))
ATTN_CALL(full, draw_frequencies,
          (kernel, otherwise(parameters, KernelParameters()), d, D,
           otherwise(form, FourierForm::kOffset), otherwise(seed, 0)),
          attn::draw_frequencies<float>)
ATTN_CALL(full, random_fourier_features, (X, W, b), attn::random_fourier_features<float>)
ATTN_CALL(full, paired_fourier_features, (X, W), attn::paired_fourier_features<float>)
ATTN_STRUCT(FourierVariance<float>, offset, paired)
ATTN_CALL(full, fourier_variance, (kernel, X), [](const KernelChoice& kernel, In<float> X) {
  return attn::fourier_variance<float>(make_kernel<float>(kernel), X);
})
ATTN_STRUCT(FeatureVariance<float>, kernel, offset, paired)
ATTN_CALL(full, feature_variance, (kernel, distances, D),
          [](const KernelChoice& kernel, InVector<float> distances, Index D) {
            return attn::feature_variance<float>(make_kernel<float>(kernel), distances, D);
          })
ATTN_CALL(full, nystroem_features, (kernel, X, landmarks),
          [](const KernelChoice& kernel, In<float> X, In<float> landmarks) {
            return attn::nystroem_features<float>(make_kernel<float>(kernel), X, landmarks);
          })
ATTN_STRUCT(LeverageReport, scores, effective_dimension, best_errors)
ATTN_CALL(full, leverage_scores, (kernel, X, lambda),
          [](const KernelChoice& kernel, In<float> X, double lambda) {
            return attn::leverage_scores<double>(wide(kernel), X.cast<double>(), lambda);
          })

ATTN_ENUM(KernelApproximation, kOffset, kPaired, kOrthogonal, kNystroem)
ATTN_OPTIONS(ApproximationOptions, kernel, parameters, features, draws, seed)
ATTN_STRUCT(ApproximationPoint, approximation, D, gram_errors, smoothing_errors, gram_error,
            smoothing_error, feature_multiply_adds, smoothing_multiply_adds)
ATTN_STRUCT(ApproximationResult, points, implicit_gram, implicit_smoothing, implicit_ridge,
            best_gram_errors)
ATTN_STEPS(full, approximation_experiment, 1, (X, V, flat(options)),
           [](In<float> X, In<float> V, const ApproximationOptions& how) {
             return ApproximationExperiment(X, V, how);
           })

ATTN_STRUCT(KernelTrickCosts, implicit_smoothing, explicit_smoothing, implicit_ridge,
            explicit_ridge)
ATTN_CALL(full, kernel_trick_costs, (n, d, d_v, D), attn::kernel_trick_costs)

// --- Smoothing -----------------------------------------------------------------------------------

ATTN_STRUCT(SmootherResult<float>, weights, output, sums)
ATTN_CALL(full, nadaraya_watson, (kernel, Q, K, V),
          [](const KernelChoice& kernel, In<float> Q, In<float> K, In<float> V) {
            return attn::nadaraya_watson<float>(make_kernel<float>(kernel), Q, K, V);
          })
ATTN_STRUCT(SmootherComparison<float>, smoother, attention_weights, attention_output, scale,
            biased_weights, difference, biased_difference, smallest_key_norm, largest_key_norm)
ATTN_CALL(full, compare_smoother_with_attention,
          (kernel, otherwise(parameters, KernelParameters()), Q, K, V),
          attn::compare_smoother_with_attention<float>)
ATTN_STRUCT(ProjectedKernel<float>, values, asymmetry, smallest_share)
ATTN_CALL(full, projected_kernel, (X, Wq, Wk), attn::projected_kernel<float>)
ATTN_CALL(full, random_projected_kernel, (n, d, one_projection, seed),
          attn::random_projected_kernel<float>)
ATTN_OPTIONS(SmootherLearns, width, keys, values)
ATTN_OPTIONS(SmootherFitOptions, learns, gamma, learning_rate, steps)
ATTN_STRUCT(SmootherFitResult, keys, values, gamma, losses)
ATTN_STEPS(full, smoother_fit, 10, (x, y, flat(options)),
           [](const std::vector<double>& x, const std::vector<double>& y,
              const SmootherFitOptions& how) { return SmootherFit(x, y, how); })

}  // namespace attn::wasm
