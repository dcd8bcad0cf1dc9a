/** Suffixes of the two factors of a change to one weight, as the training of the encoder writes them. */
const factors = { down: '.lora_A', up: '.lora_B' } as const;

/**
 * Weights with a low-rank change added: W + BA for each weight that `delta` holds the factors of (LoRA, Hu et al. 2021,
 * https://arxiv.org/abs/2106.09685). Products are summed in 64 bit and rounded once, so that the result is the same everywhere.
 *
 * @throws Error when the change does not fit the weights.
 */
export function withLowRankDelta(
  weights: ReadonlyMap<string, Float32Array>,
  delta: ReadonlyMap<string, Float32Array>,
): Map<string, Float32Array> {
  const changed = new Map(weights);
  for (const [name, down] of delta) {
    if (!name.endsWith(factors.down)) continue;
    const target = `${name.slice(0, -factors.down.length)}.weight`;
    const up = delta.get(name.slice(0, -factors.down.length) + factors.up);
    const weight = weights.get(target);
    if (weight === undefined || up === undefined)
      throw new Error(`The change ${name} has no ${target} or no second factor.`);
    changed.set(target, plusProduct(weight, up, down));
  }
  return changed;
}

/** weight[o][i] + Σ up[o][r] down[r][i]; the rank follows from the sizes: outputs × rank, rank × inputs. */
function plusProduct(weight: Float32Array, up: Float32Array, down: Float32Array): Float32Array {
  const rank = Math.sqrt((up.length * down.length) / weight.length);
  const inputs = down.length / rank;
  if (!Number.isInteger(rank) || !Number.isInteger(inputs)) {
    throw new Error('The factors of a change do not fit their weight.');
  }
  return weight.map((value, index) => {
    const [output, input] = [Math.floor(index / inputs), index % inputs];
    let sum = value;
    for (let row = 0; row < rank; row++) {
      sum += (up[output * rank + row] as number) * (down[row * inputs + input] as number);
    }
    return sum;
  });
}
