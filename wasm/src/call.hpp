#pragma once
// One declaration per call of the core:
//
//   ATTN_CALL(full, softmax_jacobian, (p), attn::softmax_jacobian<float>)
//   ATTN_STEPS(start, compare_to_softmax, 16, (Q, K, V, feature_map, flat(options)), maker)
//
// The first word is the smallest module that has the call. The second is its name, compareToSoftmax
// in JavaScript. Then come the names of the arguments, in their order, and last the function, or a
// lambda where JavaScript's arguments are not the function's. Types are read off the function.
// Arguments may be marked:
//   flat(options)          the members of this struct lie beside the other arguments
//   otherwise(rtol, 1e-5)  JavaScript may leave it out, and this value takes its place
// An argument that is std::optional may be left out too.
//
// Prose for the TypeScript client comes from the core's header: that of the function of this name,
// or of a struct and its members. A comment of /// before a declaration here takes its place.
//
// ATTN_STEPS has a function that makes an object with step(amount), progress() and result(), and
// the amount of the first step. Two calls come from it: one that does all the work, and
// make<Name>, whose object is worked through step by step.
//
//   ATTN_CONSTANT(max_order_size, attn::kMaxOrderSize)
//
// is a bound or a list of names of the core that pages ask for. It is written into the client as it
// is, so that no page repeats it.

#include <climits>
#include <memory>

#include "convert.hpp"

#ifndef ATTN_DESCRIBE
#include <emscripten/bind.h>
#endif

namespace attn::wasm {

// --- Arguments -----------------------------------------------------------------------------------

/// The type that holds an argument of type T while the function runs.
template <typename T>
struct HeldAs {
  using Type = T;
};
template <typename T>
struct HeldAs<Eigen::Ref<const T>> {
  using Type = T;
};
template <>
struct HeldAs<std::string_view> {
  using Type = std::string;
};
template <typename T>
struct HeldAs<std::span<const T>> {
  using Type = std::vector<T>;
};
template <typename T>
using Held = typename HeldAs<std::remove_cvref_t<T>>::Type;

struct Plain {
  const char* name;
  const char* js;
};
struct Flat {};
template <typename Value>
struct Otherwise {
  const char* name;
  const char* js;
  Value value;
};
template <typename Value>
Otherwise(const char*, const char*, Value) -> Otherwise<Value>;

#define ATTN_PLAIN(x) \
  ::attn::wasm::Plain { #x, ::attn::wasm::kJsName < #x>.text }
#define ATTN_ARGUMENT(x) ATTN_PICK(ATTN_ARGUMENT_##x, (ATTN_PLAIN(x)))
#define ATTN_ARGUMENT_flat(x) , (::attn::wasm::Flat())
#define ATTN_ARGUMENT_otherwise(x, otherwise) \
  , (::attn::wasm::Otherwise{#x, ::attn::wasm::kJsName<#x>.text, [] { return otherwise; }})

// --- Calls ---------------------------------------------------------------------------------------

#ifdef ATTN_MODULE_START
#define ATTN_IN_full(...)
#else
#define ATTN_IN_full(...) __VA_ARGS__
#endif
#define ATTN_IN_start(...) __VA_ARGS__

#define ATTN_CALL(module, name, arguments, ...) \
  ATTN_IN_##module(ATTN_DECLARE(Call, module, name, 0, arguments, __VA_ARGS__))
#define ATTN_STEPS(module, name, first, arguments, ...) \
  ATTN_IN_##module(ATTN_DECLARE(Steps, module, name, first, arguments, __VA_ARGS__))
#define ATTN_DECLARE(kind, module, name, first, arguments, ...)                            \
  namespace call_##name {                                                                  \
    constexpr auto kFunction = +(__VA_ARGS__);                                             \
    constexpr auto kArguments = std::tuple{ATTN_EACH(ATTN_ARGUMENT, ATTN_LIST arguments)}; \
    const ::attn::wasm::kind<kFunction, kArguments> kDeclared(#name, #module, first);      \
  }

#ifdef ATTN_DESCRIBE
#define ATTN_CONSTANT(name, ...) const ::attn::wasm::Constant constant_##name(#name, __VA_ARGS__);
#else
#define ATTN_CONSTANT(...)
#endif

template <typename Result, typename... Given>
Result result_of(Result (*)(Given...));

#ifndef ATTN_DESCRIBE

/// Long work in wasm memory, until JavaScript deletes it.
class Work {
 public:
  virtual ~Work() = default;
  virtual bool step(int amount) = 0;
  virtual double progress() const = 0;
  virtual val result() const = 0;
};

template <typename Steps>
class WorkOf final : public Work {
 public:
  template <typename Make>
  explicit WorkOf(Make make) : steps_(make()) {}
  bool step(int amount) override { return steps_.step(amount); }
  double progress() const override { return steps_.progress(); }
  val result() const override {
    return Convert<std::remove_cvref_t<decltype(steps_.result())>>::to_js(steps_.result());
  }

 private:
  Steps steps_;
};

/// Calls `body` and turns what it throws into a JavaScript Error.
emscripten::val guarded(emscripten::val (*body)(const val&), emscripten::val input);
std::shared_ptr<Work> guarded_work(std::shared_ptr<Work> (*body)(const val&),
                                   emscripten::val input);
/// The name as JavaScript has it, after `prefix`.
std::string call_name(const char* prefix, const char* name);

template <typename T>
void read_argument(const val& input, const Plain& plain, T& to) {
  read_property(input, plain.js, {plain.name}, true, to);
}
template <typename T, typename Value>
void read_argument(const val& input, const Otherwise<Value>& otherwise, T& to) {
  to = static_cast<T>(otherwise.value());
  read_property(input, otherwise.js, {otherwise.name}, false, to);
}
template <typename T>
void read_argument(const val& input, const Flat&, T& to) {
  read_fields(input, nullptr, fields_in<T>(), &to);
}

/// `use(arguments…)` with what `input` has under their names.
template <const auto& arguments, typename Result, typename... Given, typename Use>
auto with_arguments(const val& input, Result (*)(Given...), Use use) {
  require_object(input, {"input"});
  return [&]<std::size_t... i>(std::index_sequence<i...>) {
    static_assert(sizeof...(Given) == std::tuple_size_v<std::remove_cvref_t<decltype(arguments)>>,
                  "a declaration names each argument of its function");
    std::tuple<Held<Given>...> held{initial<Held<Given>>()...};
    (read_argument(input, std::get<i>(arguments), std::get<i>(held)), ...);
    return use(std::forward<Held<Given>>(std::get<i>(held))...);
  }
  (std::index_sequence_for<Given...>());
}

template <typename Result, typename... Given>
constexpr bool takes_input(Result (*)(Given...)) {
  return sizeof...(Given) > 0;
}

template <auto function, const auto& arguments>
struct Call {
  using Result = std::remove_cvref_t<decltype(result_of(function))>;

  static emscripten::val body(const val& input) {
    if constexpr (takes_input(function)) {
      return with_arguments<arguments>(input, function, [](auto&&... given) -> emscripten::val {
        return Convert<Result>::to_js(function(std::forward<decltype(given)>(given)...));
      });
    } else {
      return Convert<Result>::to_js(function());
    }
  }
  static emscripten::val call(emscripten::val input) { return guarded(&body, std::move(input)); }
  static emscripten::val call_alone() { return guarded(&body, emscripten::val::undefined()); }

  Call(const char* name, const char*, int) {
    if constexpr (takes_input(function)) {
      emscripten::function(call_name("", name).c_str(), &call);
    } else {
      emscripten::function(call_name("", name).c_str(), &call_alone);
    }
  }
};

template <auto function, const auto& arguments>
struct Steps {
  using Made = decltype(result_of(function));

  static std::shared_ptr<Work> body(const val& input) {
    return with_arguments<arguments>(input, function, [](auto&&... given) -> std::shared_ptr<Work> {
      return std::make_shared<WorkOf<Made>>(
          [&]() -> Made { return function(std::forward<decltype(given)>(given)...); });
    });
  }
  static emscripten::val whole(const val& input) {
    const std::shared_ptr<Work> work = body(input);
    while (!work->step(INT_MAX)) continue;
    return work->result();
  }
  static std::shared_ptr<Work> make(emscripten::val input) {
    return guarded_work(&body, std::move(input));
  }
  static emscripten::val call(emscripten::val input) { return guarded(&whole, std::move(input)); }

  Steps(const char* name, const char*, int) {
    emscripten::function(call_name("", name).c_str(), &call);
    emscripten::function(call_name("make", name).c_str(), &make);
  }
};

#endif

}  // namespace attn::wasm

#ifdef ATTN_DESCRIBE
#include "describe.hpp"
#endif
