/** The value of a function and its gradient. */
export type Objective = (x: Float64Array) => { value: number; gradient: Float64Array };

/** Pairs of steps that the curvature is estimated from. */
const memory = 8;
const sufficientDecrease = 1e-4;
const maxHalvings = 20;
const tolerance = 1e-6;

/** Finds a minimum of a smooth function by L-BFGS with a backtracking line search (Nocedal & Wright 2006, ch. 7.2, 3.1). */
export function minimize(objective: Objective, start: Float64Array, maxIterations: number): Float64Array {
  let x: Float64Array = start;
  let at = objective(x);
  const steps: { s: Float64Array; y: Float64Array; rho: number }[] = [];
  for (let iteration = 0; iteration < maxIterations; iteration++) {
    const direction = descentDirection(at.gradient, steps);
    const slope = dot(direction, at.gradient);
    const first = iteration === 0 ? 1 / Math.max(1, Math.sqrt(dot(at.gradient, at.gradient))) : 1;
    let size = first;
    let moved = axpy(x, direction, size);
    let next = objective(moved);
    for (let halving = 0; next.value > at.value + sufficientDecrease * size * slope; halving++) {
      if (halving === maxHalvings) return x;
      size /= 2;
      moved = axpy(x, direction, size);
      next = objective(moved);
    }
    const s = moved.map((value, index) => value - (x[index] as number));
    const y = next.gradient.map((value, index) => value - (at.gradient[index] as number));
    const curvature = dot(s, y);
    if (curvature > 1e-12) steps.push({ s, y, rho: 1 / curvature });
    if (steps.length > memory) steps.shift();
    const gain = at.value - next.value;
    x = moved;
    at = next;
    if (gain < tolerance * Math.abs(at.value)) break;
  }
  return x;
}

function descentDirection(
  gradient: Float64Array,
  steps: readonly { s: Float64Array; y: Float64Array; rho: number }[],
): Float64Array {
  let q: Float64Array = gradient.map((value) => -value);
  const alphas: number[] = [];
  for (const { s, y, rho } of [...steps].reverse()) {
    const alpha = rho * dot(s, q);
    alphas.push(alpha);
    q = axpy(q, y, -alpha);
  }
  const last = steps[steps.length - 1];
  if (last !== undefined) {
    const factor = 1 / (last.rho * dot(last.y, last.y));
    q = q.map((value) => value * factor);
  }
  for (const [index, { s, y, rho }] of steps.entries()) {
    const beta = rho * dot(y, q);
    q = axpy(q, s, (alphas[steps.length - 1 - index] as number) - beta);
  }
  return q;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let index = 0; index < a.length; index++) sum += (a[index] as number) * (b[index] as number);
  return sum;
}

function axpy(x: Float64Array, direction: Float64Array, size: number): Float64Array {
  return x.map((value, index) => value + size * (direction[index] as number));
}
