/**
 * Loads the shipped model folder the way anyone would who has one of the two packages and no toolcrib, without a network.
 * Arguments: package, folder of models, name of the model, texts as JSON. Prints their vectors as JSON.
 */
const [, , name, folder, model, texts] = process.argv;
const { env, pipeline } = await import(name);

env.allowRemoteModels = false;
env.allowLocalModels = true;
env.localModelPath = folder;

const isOld = name === '@xenova/transformers';
const extract = await pipeline('feature-extraction', model, isOld ? { quantized: true } : { dtype: 'q8' });
const vectors = [];
for (const text of JSON.parse(texts)) {
  const { data } = await extract(text, { pooling: 'mean', normalize: true });
  vectors.push(Array.from(data));
}
process.stdout.write(JSON.stringify(vectors));
