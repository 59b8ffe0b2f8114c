/** Functions that tell which kind a value is. */
import type { ArrayValue, DictValue, GivenValue } from './types';

const isKind = (value: unknown, kind: string): boolean =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === kind;

export const isArray = (value: unknown): value is ArrayValue => isKind(value, 'array');
export const isDict = (value: unknown): value is DictValue => isKind(value, 'dict');
export const isGiven = (value: unknown): value is GivenValue => isKind(value, 'given');
