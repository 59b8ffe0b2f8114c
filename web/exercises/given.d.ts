import type { Matrix } from '../src/exercises/javascript/matrix';

export declare function identity(x: Matrix): Matrix;
export declare function eluPlusOne(x: Matrix): Matrix;
export declare function relu(x: Matrix): Matrix;
export declare function squaredRelu(x: Matrix): Matrix;
