// Maps that work entry by entry.

#include <algorithm>
#include <cmath>

#include "linear_attention/feature_maps/entry.hpp"

namespace attn::internal {
namespace {

template <typename T>
struct Identity {
  explicit Identity(const Call<T>&) {}
  T value(T x) const { return x; }
  T slope(T) const { return 1; }
};

template <typename T>
struct EluPlusOne {
  T temperature;
  explicit EluPlusOne(const Call<T>& call) : temperature(call.parameter("temperature")) {}
  T value(T x) const {
    const T y = x * temperature;
    return y > 0 ? y + 1 : std::exp(y);
  }
  T slope(T x) const {
    const T y = x * temperature;
    return temperature * (y > 0 ? T(1) : std::exp(y));
  }
  Index exps(In<T> x) const { return (x.array() * temperature <= 0).count(); }
};

template <typename T>
struct Relu {
  T floor;
  explicit Relu(const Call<T>& call) : floor(call.parameter("floor")) {}
  T value(T x) const { return std::max(x, floor); }
  T slope(T x) const { return x > floor ? T(1) : T(0); }
};

template <typename T>
struct SquaredRelu {
  explicit SquaredRelu(const Call<T>&) {}
  T value(T x) const { return x > 0 ? x * x : T(0); }
  T slope(T x) const { return x > 0 ? 2 * x : T(0); }
};

template <typename T>
struct Square {
  explicit Square(const Call<T>&) {}
  T value(T x) const { return x * x; }
  T slope(T x) const { return 2 * x; }
};

template <template <typename> class F>
struct Each {
  template <typename T>
  static void apply(const Call<T>& call, In<T> x, Matrix<T>& phi) {
    const F<T> f(call);
    phi = x.unaryExpr([&f](T value) { return f.value(value); });
    note_exps<T>(f, x);
  }
  template <typename T>
  static void backward(const Call<T>& call, In<T> x, In<T> d_phi, Matrix<T>& d_x) {
    const F<T> f(call);
    d_x = d_phi.cwiseProduct(x.unaryExpr([&f](T value) { return f.slope(value); }));
    note_exps<T>(f, x);
  }

 private:
  template <typename T>
  static void note_exps(const F<T>& f, In<T> x) {
    if constexpr (requires { f.exps(x); }) {
      if (OperationMeter::active()) note<T>({.exps = wide(f.exps(x))});
    }
  }
};

struct Exp {
  template <typename T>
  static void apply(const Call<T>& call, In<T> x, Matrix<T>& phi) {
    phi = x;
    if (call.flag("stabilize")) phi.colwise() -= largest_exponents<T>(call.role, x);
    phi = phi.unaryExpr([](T value) { return std::exp(value); });
    note<T>({.exps = wide(phi.size())});
  }
  template <typename T>
  static void backward(const Call<T>& call, In<T> x, In<T> d_phi, Matrix<T>& d_x) {
    apply<T>(call, x, d_x);
    d_x.array() *= d_phi.array();
    if (call.flag("stabilize")) largest_exponents_backward<T>(call.role, x, d_x);
  }
};

constexpr FeatureMapParameter kFloor{"floor", "floor", "Features below it are lifted to it.", 0, 0,
                                     1,       false};
constexpr FeatureMapPaper kLinearTransformer{
    "Transformers are RNNs: Fast Autoregressive Transformers with Linear Attention",
    "https://arxiv.org/abs/2006.16236", "equation 7"};

}  // namespace

template <typename T>
void add_entrywise_maps(std::vector<Entry<T>>& all) {
  all.push_back(
      {.info =
           {.id = "elu_plus_one",
            .label = "ELU + 1",
            .tex = R"(\varphi(x) = \begin{cases} x + 1 & x > 0 \\ e^{x} & x \le 0 \end{cases})",
            .dimension_tex = "d",
            .positivity = Positivity::kPositive,
            .kernel =
                "Not the exponential kernel and never meant to be: a positive similarity that is "
                "cheap to sum.",
            .note = "Positive, so the denominator does not vanish; the weights stay close to "
                    "uniform.",
            .paper = kLinearTransformer,
            .parameters = {{"temperature", "temperature", "Multiplies x before the map (PosELU).",
                            1, 0.05, 8, false}}},
       .functions = functions_of<Each<EluPlusOne>, T>(),
       .dimension = same,
       .cost = {.forward = {.exps = {.input = 1}}, .backward = {.exps = {.input = 1}}},
       .kernel = [](const Parameters& p, Index) -> Kernel {
         return {{simd::Feature::kEluPlusOne, static_cast<float>(p["temperature"])}};
       }});

  all.push_back(
      {.info =
           {.id = "relu",
            .label = "ReLU",
            .tex = R"(\varphi(x) = \max(0, x))",
            .dimension_tex = "d",
            .positivity = Positivity::kNonNegative,
            .kernel =
                "Not the exponential kernel: counts only coordinates where query and key are both "
                "positive.",
            .note = "With few dimensions a query can miss every key: its whole row is zero.",
            .paper = {"Finetuning Pretrained Transformers into RNNs",
                      "https://arxiv.org/abs/2103.13076", "its feature map with W the identity"},
            .parameters = {kFloor}},
       .functions = functions_of<Each<Relu>, T>(),
       .dimension = same,
       .cost = {},
       .positivity =
           [](const Parameters& p) {
             return p["floor"] > 0 ? Positivity::kPositive : Positivity::kNonNegative;
           },
       .kernel = [](const Parameters& p, Index) -> Kernel {
         return {{simd::Feature::kRelu, static_cast<float>(p["floor"])}};
       }});

  all.push_back(
      {.info = {.id = "squared_relu",
                .label = "Squared ReLU",
                .tex = R"(\varphi(x) = \max(0, x)^2)",
                .dimension_tex = "d",
                .positivity = Positivity::kNonNegative,
                .kernel =
                    "Not the exponential kernel: ReLU's, with large coordinates counting more.",
                .note = "A continuous slope, but exactly the zeros of ReLU.",
                .paper = {"Primer: Searching for Efficient Transformers for Language Modeling",
                          "https://arxiv.org/abs/2109.08668", "squared ReLU activation"}},
       .functions = functions_of<Each<SquaredRelu>, T>(),
       .dimension = same,
       .cost = {},
       .kernel = [](const Parameters&, Index) -> Kernel {
         return {{simd::Feature::kSquaredRelu, 0}};
       }});

  all.push_back(
      {.info =
           {.id = "identity",
            .label = "Identity",
            .tex = R"(\varphi(x) = x)",
            .dimension_tex = "d",
            .positivity = Positivity::kAny,
            .kernel = "The plain inner product q·k.",
            .note =
                "The denominator changes sign, so normalised weights explode: use it unnormalised.",
            .paper = {kLinearTransformer.title, kLinearTransformer.url,
                      "the plain product it improves on"}},
       .functions = functions_of<Each<Identity>, T>(),
       .dimension = same,
       .cost = {},
       .kernel = [](const Parameters&, Index) -> Kernel {
         return {{simd::Feature::kGiven, 0}};
       }});

  all.push_back({.info = {.id = "exp",
                          .label = "exp",
                          .tex = R"(\varphi(x) = e^{x})",
                          .dimension_tex = "d",
                          .positivity = Positivity::kPositive,
                          .kernel = "A sum of e^{q_i + k_i} over coordinates: not e^{q·k}.",
                          .note = "Overflows float32 above x = 88.7, unless stabilised.",
                          .paper = {"Efficient Attention: Attention with Linear Complexities",
                                    "https://arxiv.org/abs/1812.01243",
                                    "its softmax normalisation before the division"},
                          .parameters = {kStabilize}},
                 .functions = functions_of<Exp, T>(),
                 .dimension = same,
                 .cost = {.forward = {.exps = {.input = 1}}, .backward = {.exps = {.input = 1}}},
                 .couples_rows = stabilized,
                 .kernel = [](const Parameters& p, Index) -> Kernel {
                   if (stabilized(p)) return {};
                   return {{simd::Feature::kExp, 0}};
                 }});

  all.push_back(
      {.info = {.id = "square",
                .label = "Square",
                .tex = R"(\varphi(x) = x^2)",
                .dimension_tex = "d",
                .positivity = Positivity::kNonNegative,
                .kernel = "Not the exponential kernel: blind to the signs of the coordinates.",
                .note = "Opposite vectors look alike.",
                .paper = {"Zoology: Measuring and Improving Recall in Efficient Language Models",
                          "https://arxiv.org/abs/2312.04927", "released code, feature map Square"}},
       .functions = functions_of<Each<Square>, T>(),
       .dimension = same,
       .cost = {},
       .kernel = [](const Parameters&, Index) -> Kernel {
         return {{simd::Feature::kSquare, 0}};
       }});
}

template void add_entrywise_maps<float>(std::vector<Entry<float>>&);
template void add_entrywise_maps<double>(std::vector<Entry<double>>&);

}  // namespace attn::internal
