/**
 * The modules that the course texts import, and the names that their snippets use without an import, so that the code
 * of the texts runs unchanged. What the texts ask students to write comes from the solutions of the exercises.
 */

import type { SyntaxNode } from '@lezer/common';
import { parser } from '@lezer/python';
import exampleValues from './course/example_values.py?raw';
import exercise from './course/exercise.py?raw';
import kernelTrick from './course/kernel_trick.py?raw';
import quickStart from './course/quick_start.py?raw';
import { exerciseModules, ourParts } from './exercise-parts';

/** The exercises whose functions each module of the course contains. */
const contents: Readonly<
  Record<string, { readonly own?: string; readonly ids: readonly string[] }>
> = {
  kernel_trick: {
    own: kernelTrick,
    ids: [
      'standard-attention-order',
      'linear-attention-order',
      'simple-feature-map',
      'elu-feature-map',
      'verify-associativity',
    ],
  },
  feature_maps: {
    ids: [
      'elu-plus-one',
      'relu-feature-map',
      'squared-relu-feature-map',
      'softmax-kernel-feature-map',
      'compute-implicit-attention',
      'compare-to-softmax',
      'analyze-feature-map-quality',
    ],
  },
  attention_surgeon: {
    ids: [
      'attention',
      'create-causal-mask',
      'create-reverse-mask',
      'analyze-attention-patterns',
      'stable-softmax',
      'experiment-scaling-factor',
      'masked-rows',
      'split-merge-heads',
      'kv-cache-step',
      'sliding-window',
      'online-softmax',
      'multi-query',
      'k-nearest',
      'compare-masking',
      'cross-attention',
      'attention-dropout',
      'attention-backward',
      'flash-attention',
      'grouped-query',
      'gradient-quantiles',
      'repair-the-mask',
      'plot-attention-heatmap',
      'plot-multihead-attention',
    ],
  },
  linear_attention: { ids: ['recurrent-step', 'chunked', 'taylor-feature-map'] },
};

/**
 * The source of each module by its name, made from the Python solutions of the exercises. A module without any
 * solution is left out.
 */
export function courseModules(solutions: Readonly<Record<string, string>>): Record<string, string> {
  const modules: Record<string, string> = {
    exercise,
    ...ourParts(solutions),
    // Until a run brings the student's own.
    ...exerciseModules({}),
    example_values: exampleValues,
    quick_start: quickStart,
  };
  for (const [name, { own, ids }] of Object.entries(contents)) {
    const parts = ids.flatMap((id) => solutions[id] ?? []);
    if (parts.length === 0 && !own) continue;
    modules[name] = ['import numpy as np', own ?? '', ...parts].join('\n\n\n');
  }
  return modules;
}

/** Names that snippets of the texts use without saying where they come from, and their imports. */
const imports: Readonly<Record<string, string>> = {
  np: 'import numpy as np',
  math: 'import math',
  torch: 'import torch',
  nn: 'import torch.nn as nn',
  F: 'import torch.nn.functional as F',
  plt: 'import matplotlib.pyplot as plt',
  sns: 'import seaborn as sns',
  Optional: 'from typing import Optional',
  Tuple: 'from typing import Tuple',
  List: 'from typing import List',
  Dict: 'from typing import Dict',
  random_tensors: 'from kernel_trick import random_tensors',
  identity: 'from kernel_trick import identity',
  standard_attention_order: 'from kernel_trick import standard_attention_order',
  linear_attention_order: 'from kernel_trick import linear_attention_order',
  AttentionConfig: 'from exercise import AttentionConfig',
  MultiHeadAttention: 'from exercise import MultiHeadAttention',
  SparseAttention: 'from exercise import SparseAttention',
  AttentionCache: 'from exercise import AttentionCache',
};

/**
 * Values that snippets begin with and do not make, such as the logits of a snippet on softmax. Only these names are
 * given one, and only where the code uses them before it binds them itself.
 */
const examples: Readonly<Record<string, readonly string[]>> = {
  example_values: ['logits', 'scores', 'mask', 'attention_weights'],
  // What the first snippets of day 42 make, and the later ones go on with.
  quick_start: ['config', 'attention', 'attention_layer', 'x', 'cache', 'head_dim', 'seq_len'],
};

export interface Missing {
  /** Imports to run before the snippet. */
  readonly before: string;
  readonly names: readonly string[];
}

/** The imports that a snippet leaves out; empty for a file that imports or defines every name it uses. */
export function missingImports(code: string): Missing {
  const used = new Set<string>();
  const bound = new Set<string>();
  /** Where each name is first used at the top level, and where it is first bound. */
  const firstUse = new Map<string, number>();
  const firstBound = new Map<string, number>();
  const note = (places: Map<string, number>, name: string, at: number) => {
    places.set(name, Math.min(places.get(name) ?? Number.POSITIVE_INFINITY, at));
  };
  parser.parse(code).iterate({
    enter: ({ node }) => {
      if (node.name !== 'VariableName') return;
      const name = code.slice(node.from, node.to);
      const parent = node.parent;
      const next = node.nextSibling;
      // The name of an argument, `f(head_dim=64)`, is no variable.
      if (parent?.name === 'ArgList' && next?.name === 'AssignOp') return;
      const binds =
        parent?.name === 'ImportStatement' ||
        parent?.name === 'ParamList' ||
        ((parent?.name === 'FunctionDefinition' || parent?.name === 'ClassDefinition') &&
          node.prevSibling?.name !== '=') ||
        (parent?.name === 'AssignStatement' &&
          next !== null &&
          /^(AssignOp|,|TypeDef)$/.test(next.name)) ||
        (parent?.name === 'ForStatement' && node.from < (parent.getChild('in')?.from ?? 0));
      (binds ? bound : used).add(name);
      // `scores = f(scores)` uses the name before the statement binds it.
      if (binds) note(firstBound, name, parent?.to ?? node.to);
      else if (!insideFunction(node)) note(firstUse, name, node.from);
    },
  });
  const names = Object.keys(imports).filter((name) => used.has(name) && !bound.has(name));
  const lines = names.map((name) => `${imports[name]}\n`);
  const all = [...names];
  for (const [module, given] of Object.entries(examples)) {
    const values = given.filter((name) => {
      const use = firstUse.get(name);
      return use !== undefined && use < (firstBound.get(name) ?? Number.POSITIVE_INFINITY);
    });
    if (values.length > 0) lines.push(`from ${module} import ${values.join(', ')}\n`);
    all.push(...values);
  }
  return { before: lines.join(''), names: all };
}

/** What stands in a function runs when it is called, and its own parameters may have these names. */
function insideFunction(node: SyntaxNode): boolean {
  for (let up: SyntaxNode | null = node.parent; up; up = up.parent) {
    if (/^(FunctionDefinition|LambdaExpression|ArrayComprehensionExpression)$/.test(up.name))
      return true;
  }
  return false;
}
