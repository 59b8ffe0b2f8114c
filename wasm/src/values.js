// biome-ignore-all lint/complexity/useArrowFunction: Emscripten 3.1.6 takes only these into a library.
// JavaScript's side of value.hpp, linked into the glue. A matrix is read in two crossings of the
// boundary and written in one; by way of Embind's `val` alone each took about twenty.

mergeInto(LibraryManager.library, {
  // Not Emscripten's own functions for this: where they are found differs between its versions.
  $attn_decoder: '=new TextDecoder()',

  // Names of properties by the address of their text, which never changes.
  $attn_names: '=new Map()',
  $attn_name__deps: ['$attn_names', '$attn_decoder'],
  $attn_name: function (address) {
    let name = attn_names.get(address);
    if (name === undefined) {
      name = attn_decoder.decode(HEAPU8.subarray(address, HEAPU8.indexOf(0, address)));
      attn_names.set(address, name);
    }
    return name;
  },

  attn_name_to__deps: ['$Emval', '$attn_name'],
  attn_name_to: function (name) {
    return Emval.toHandle(attn_name(name));
  },

  attn_text_to__deps: ['$Emval', '$attn_decoder'],
  attn_text_to: function (text, bytes) {
    return Emval.toHandle(attn_decoder.decode(HEAPU8.subarray(text, text + bytes)));
  },

  attn_get__deps: ['$Emval', '$attn_name'],
  attn_get: function (object, name) {
    return Emval.toHandle(Emval.toValue(object)[attn_name(name)]);
  },

  attn_is_object__deps: ['$Emval'],
  // A list or a map has no fields: taken for an object, it would be one whose options are all left out.
  attn_is_object: function (value) {
    return Object.prototype.toString.call(Emval.toValue(value)) === '[object Object]';
  },

  // What a message calls a value: an Array or a Map by that name, not an object.
  attn_type_to__deps: ['$Emval'],
  attn_type_to: function (handle) {
    const value = Emval.toValue(handle);
    const tag = Object.prototype.toString.call(value).slice(8, -1);
    const isNamed = typeof value === 'object' && value !== null && tag !== 'Object';
    return Emval.toHandle(value === null ? 'null' : isNamed ? tag : typeof value);
  },

  // Writes a property that is a number as float64 to `to`. 0: it is missing, 1: it is a number, 2: it
  // is something else.
  attn_get_number__deps: ['$Emval', '$attn_name'],
  attn_get_number: function (object, name, to) {
    const value = Emval.toValue(object)[attn_name(name)];
    if (value === undefined || value === null) return 0;
    if (typeof value !== 'number') return 2;
    HEAPF64[to >> 3] = value;
    return 1;
  },

  attn_number__deps: ['$Emval'],
  attn_number: function (value) {
    return Emval.toValue(value);
  },

  attn_is_name__deps: ['$Emval', '$attn_name'],
  attn_is_name: function (value, name) {
    return Emval.toValue(value) === attn_name(name);
  },

  // Whether it is a matrix; its rows and columns as int32 at `shape`.
  attn_is_matrix__deps: ['$Emval'],
  attn_is_matrix: function (value, shape) {
    const matrix = Emval.toValue(value);
    if (typeof matrix !== 'object' || matrix === null) return false;
    // Emscripten 3.1.6 takes the names of a destructuring for unused and drops it.
    const rows = matrix.rows;
    const cols = matrix.cols;
    const data = matrix.data;
    // What is no number must not be made one: a long list would become a text that is too long.
    if (typeof rows !== 'number' || typeof cols !== 'number') return false;
    if (rows !== (rows | 0) || cols !== (cols | 0) || rows < 0 || cols < 0) return false;
    if (!(data instanceof Float32Array) || data.length !== rows * cols) return false;
    HEAP32[shape >> 2] = rows;
    HEAP32[(shape >> 2) + 1] = cols;
    return true;
  },

  attn_copy_in__deps: ['$Emval'],
  attn_copy_in: function (matrix, to) {
    HEAPF32.set(Emval.toValue(matrix).data, to >> 2);
  },

  attn_set__deps: ['$Emval', '$attn_name'],
  attn_set: function (object, name, value) {
    Emval.toValue(object)[attn_name(name)] = Emval.toValue(value);
  },

  attn_set_number__deps: ['$Emval', '$attn_name'],
  attn_set_number: function (object, name, value) {
    Emval.toValue(object)[attn_name(name)] = value;
  },

  attn_push__deps: ['$Emval'],
  attn_push: function (list, value) {
    Emval.toValue(list).push(Emval.toValue(value));
  },

  attn_matrix_to__deps: ['$Emval'],
  attn_matrix_to: function (from, rows, cols) {
    const data = HEAPF32.slice(from >> 2, (from >> 2) + rows * cols);
    return Emval.toHandle({ rows, cols, data });
  },
});
