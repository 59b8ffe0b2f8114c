// Bindings of attn/kv_cache.hpp.

#include "attn/kv_cache.hpp"
#include "convert.hpp"
#include "errors.hpp"
#include "handles.hpp"

namespace attn::wasm {
namespace {

using Cache = KvCache<float>;

Handles<Cache>& caches() {
  static Handles<Cache> alive("KvCache");
  return alive;
}

KvStorage storage_from(const val& options) {
  constexpr KvStorage kStorages[] = {KvStorage::kExact, KvStorage::kFloat16, KvStorage::kBfloat16,
                                     KvStorage::kInt8};
  return kStorages[choice_from(options, "storage", {"exact", "float16", "bfloat16", "int8"})];
}

val info_to(const Cache& cache) {
  val result = val::object();
  result.set("capacity", static_cast<double>(cache.capacity()));
  result.set("kvHeads", static_cast<double>(cache.kv_heads()));
  result.set("ring", cache.is_ring());
  result.set("size", static_cast<double>(cache.size()));
  result.set("appended", static_cast<double>(cache.appended()));
  result.set("bytes", static_cast<double>(cache.bytes()));
  result.set("capacityBytes", static_cast<double>(cache.capacity_bytes()));
  return result;
}

val attention_to(const KvAttention<float>& made) {
  val result = val::object();
  result.set("output", matrix_to(made.output));
  result.set("weights", list_to(made.weights));
  result.set("firstPosition", static_cast<double>(made.first_position));
  return result;
}

val kv_cache_make(val options) {
  return info_to(caches().add(options, [&] {
    KvCacheOptions how;
    how.window = optional_index(options, "window");
    how.storage = storage_from(options);
    return Cache(index_from(options, "capacity"), index_from(options, "kvHeads"),
                 index_from(options, "dK"), index_from(options, "dV"), how);
  }));
}

val kv_cache_append(val options) {
  Cache& cache = caches().at(options);
  cache.append(matrix_from(options["k"], "K"), matrix_from(options["v"], "V"));
  return info_to(cache);
}

val kv_cache_attend(val options) {
  return attention_to(caches().at(options).attend(matrix_from(options["q"], "Q"),
                                                  index_from(options, "heads"),
                                                  optional_number(options, "scale")));
}

val kv_cache_decode(val options) {
  Cache& cache = caches().at(options);
  const Qkv<float> qkv = qkv_from(options);
  return attention_to(cache.decode(qkv.Q, qkv.K, qkv.V, index_from(options, "heads"),
                                   optional_number(options, "scale")));
}

val kv_cache_reset(val options) {
  Cache& cache = caches().at(options);
  cache.reset();
  return info_to(cache);
}

val kv_cache_info(val options) { return info_to(caches().at(options)); }

val kv_cache_keys(val options) {
  return matrix_to(caches().at(options).keys(index_from(options, "kvHead")));
}

val kv_cache_values(val options) {
  return matrix_to(caches().at(options).values(index_from(options, "kvHead")));
}

void kv_cache_delete(val options) { caches().remove(options); }

double kv_cache_bytes(val options) {
  return static_cast<double>(attn::kv_cache_bytes(
      index_from(options, "tokens"), index_from(options, "kvHeads"), index_from(options, "dK"),
      index_from(options, "dV"), storage_from(options)));
}

EMSCRIPTEN_BINDINGS(attn_kv_cache) {
  bind<&kv_cache_bytes>("kvCacheBytes");
  bind<&kv_cache_make>("kvCacheMake");
  bind<&kv_cache_append>("kvCacheAppend");
  bind<&kv_cache_attend>("kvCacheAttend");
  bind<&kv_cache_decode>("kvCacheDecode");
  bind<&kv_cache_reset>("kvCacheReset");
  bind<&kv_cache_info>("kvCacheInfo");
  bind<&kv_cache_keys>("kvCacheKeys");
  bind<&kv_cache_values>("kvCacheValues");
  bind<&kv_cache_delete>("kvCacheDelete");
}

}  // namespace
}  // namespace attn::wasm
