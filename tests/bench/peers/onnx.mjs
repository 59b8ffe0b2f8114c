// The few parts of an ONNX model that the benchmark's graphs need, as protobuf bytes
// (onnx/onnx.proto; the numbers are its field numbers).

const bytesOf = (text) => [...new TextEncoder().encode(text)];

function varint(value) {
  const bytes = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  do {
    const low = Number(rest & 127n);
    rest >>= 7n;
    bytes.push(rest > 0n ? low | 128 : low);
  } while (rest > 0n);
  return bytes;
}

const integer = (field, value) => [...varint(field << 3), ...varint(value)];
/** A nested message, a string or raw bytes. */
const block = (field, bytes) => [[...varint((field << 3) | 2), ...varint(size(bytes))], bytes];
const text = (field, value) => block(field, bytesOf(value));
const float = (field, value) => [
  ...varint((field << 3) | 5),
  ...new Uint8Array(new Float32Array([value]).buffer),
];

/** Messages are nested lists of bytes until the end: constants may be large. */
const size = (part) =>
  typeof part === 'number'
    ? 1
    : part instanceof Uint8Array
      ? part.length
      : part.reduce((sum, inner) => sum + size(inner), 0);

function flatten(part, out, at) {
  if (typeof part === 'number') {
    out[at] = part;
    return at + 1;
  }
  if (part instanceof Uint8Array) {
    out.set(part, at);
    return at + part.length;
  }
  let next = at;
  for (const inner of part) next = flatten(inner, out, next);
  return next;
}

const dataTypes = { float: 1, int64: 7 };
const attributeTypes = { float: 1, int: 2, ints: 7 };

function attribute(name, value) {
  if (Array.isArray(value)) {
    const all = value.map((one) => integer(8, one));
    return [text(1, name), all, integer(20, attributeTypes.ints)];
  }
  if (Number.isInteger(value)) {
    return [text(1, name), integer(3, value), integer(20, attributeTypes.int)];
  }
  return [text(1, name), float(2, value), integer(20, attributeTypes.float)];
}

const valueInfo = (name, dims) => {
  const shape = dims.map((dim) => block(1, integer(1, dim)));
  return [text(1, name), block(2, block(1, [integer(1, dataTypes.float), block(2, shape)]))];
};

/** A graph under construction; values are named by strings. */
export class Graph {
  #nodes = [];
  #constants = [];
  #inputs = [];
  #outputs = [];
  #count = 0;

  #fresh() {
    this.#count += 1;
    return `t${this.#count}`;
  }

  input(name, dims) {
    this.#inputs.push(block(11, valueInfo(name, dims)));
    return name;
  }

  output(name, dims) {
    this.#outputs.push(block(12, valueInfo(name, dims)));
  }

  /** A float32 tensor (a Float32Array or a list of numbers). */
  constant(values, dims = []) {
    return this.#constant(dataTypes.float, new Float32Array(values), dims);
  }

  /** A list of int64. */
  integers(values) {
    return this.#constant(dataTypes.int64, BigInt64Array.from(values, BigInt), [values.length]);
  }

  #constant(type, data, dims) {
    const name = this.#fresh();
    const raw = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    const sizes = dims.map((dim) => integer(1, dim));
    this.#constants.push(block(5, [sizes, integer(2, type), text(8, name), block(9, raw)]));
    return name;
  }

  /** Adds a node; returns the name of its result, or the list of names when `outputs` are named. */
  node(type, inputs, attributes = {}, { domain = '', outputs } = {}) {
    const results = outputs ?? [this.#fresh()];
    this.#nodes.push(
      block(1, [
        inputs.map((name) => text(1, name)),
        results.map((name) => text(2, name)),
        text(4, type),
        Object.entries(attributes).map(([name, value]) => block(5, attribute(name, value))),
        text(7, domain),
      ]),
    );
    return outputs ? results : results[0];
  }

  /** The model's bytes. Opset 23 is the first with Attention; IR 11 belongs to it. */
  bytes({ opset = 17, ir = 8 } = {}) {
    const graph = [this.#nodes, text(2, 'benchmark'), this.#constants, this.#inputs, this.#outputs];
    const opsets = [
      block(8, [text(1, ''), integer(2, opset)]),
      block(8, [text(1, 'com.microsoft'), integer(2, 1)]),
    ];
    const model = [integer(1, ir), opsets, block(7, graph)];
    const out = new Uint8Array(size(model));
    flatten(model, out, 0);
    return out;
  }
}
