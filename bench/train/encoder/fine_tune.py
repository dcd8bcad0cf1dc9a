"""Teaches the encoder the language of tools: contrastive learning of low-rank changes to its linear layers.

    python3 bench/train/encoder/fine_tune.py --data FILE --weights FILE --out FILE
        [--without-fold K] [--without-family A,B] [--epochs 2] [--seed 1]

Needs PyTorch (1.13 or later) and NumPy; nothing of the product does. `--data` is what export-training.ts wrote, `--weights` the
half-precision safetensors of the published model, `--out` the change, as index-data/build/low-rank.ts reads it. Some ten minutes
on two cores.

A query is drawn to the texts of a right tool and away from those of other candidates of the same query and of other queries
of the same catalog (InfoNCE with hard negatives); between, what a server says of a tool is drawn to the tool's name and
parameters and away from those of its neighbours. LoRA: Hu et al. 2021, https://arxiv.org/abs/2106.09685
"""

import argparse
import json
import random
import struct

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

HIDDEN, LAYERS, HEADS, FEED_FORWARD = 384, 6, 12, 1536
RANK = 16
LEARNING_RATE = 1e-3
TEMPERATURE = 0.05
BATCH_QUERIES = 24
HARD_NEGATIVES = 2
# Among this many of the candidates, the likeliest first.
HARDEST = 30
# Which text of a tool a batch learns from: all of it, its name, its name with parameters.
TEXT_SHARES = (0.6, 0.25, 0.15)
# How often the queries of small sets are seen in one epoch.
REPEATS = {"real66": 4, "livemcpbench": 4, "mcpproxy_golden": 3}
# Batches of unlabelled tools in the whole training: some servers, some tools of each, so that neighbours are told apart.
DESCRIBED_BATCHES = 250
SERVERS, TOOLS_OF_SERVER = 6, 4
# How much of what was learned is added to the published weights. Less than all keeps more of what they know of texts that the
# training has not seen. Wortsman et al. 2021, https://arxiv.org/abs/2109.01903
SHARE = 0.7


class LowRankLinear(nn.Module):
    def __init__(self, weight, bias):
        super().__init__()
        self.register_buffer("weight", weight)
        self.register_buffer("bias", bias)
        self.down = nn.Parameter(torch.randn(RANK, weight.shape[1]) / weight.shape[1] ** 0.5)
        self.up = nn.Parameter(torch.zeros(weight.shape[0], RANK))

    def forward(self, x):
        return F.linear(x, self.weight, self.bias) + (x @ self.down.T) @ self.up.T


class Encoder(nn.Module):
    """all-MiniLM-L6-v2, with a low-rank change to each linear layer; vectors are mean-pooled and of unit length."""

    def __init__(self, weights):
        super().__init__()
        self.weights = weights
        self.linear = nn.ModuleDict()
        for layer in range(LAYERS):
            for part in ("attention.self.query", "attention.self.key", "attention.self.value",
                         "attention.output.dense", "intermediate.dense", "output.dense"):
                name = f"encoder.layer.{layer}.{part}"
                self.linear[name.replace(".", "/")] = LowRankLinear(weights[f"{name}.weight"], weights[f"{name}.bias"])

    def forward(self, ids, mask):
        positions = self.weights["embeddings.position_embeddings.weight"][: ids.shape[1]]
        kinds = self.weights["embeddings.token_type_embeddings.weight"][0]
        state = self.norm("embeddings", F.embedding(ids, self.weights["embeddings.word_embeddings.weight"]) + positions + kinds)
        padding = (1 - mask)[:, None, None, :] * -1e4
        for layer in range(LAYERS):
            state = self.layer(f"encoder.layer.{layer}", state, padding)
        pooled = (state.float() * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)
        return F.normalize(pooled, dim=-1)

    def layer(self, name, state, padding):
        heads = lambda x: x.view(*x.shape[:2], HEADS, HIDDEN // HEADS).transpose(1, 2)
        query, key, value = (heads(self.dense(f"{name}.attention.self.{part}", state)) for part in ("query", "key", "value"))
        scores = query @ key.transpose(-1, -2) / (HIDDEN // HEADS) ** 0.5 + padding
        context = (scores.float().softmax(-1).to(value.dtype) @ value).transpose(1, 2).reshape(state.shape)
        state = self.norm(f"{name}.attention.output", state + self.dense(f"{name}.attention.output.dense", context))
        wide = F.gelu(self.dense(f"{name}.intermediate.dense", state))
        return self.norm(f"{name}.output", state + self.dense(f"{name}.output.dense", wide))

    def dense(self, name, x):
        return self.linear[name.replace(".", "/")](x)

    def norm(self, name, x):
        weight, bias = (self.weights[f"{name}.LayerNorm.{part}"] for part in ("weight", "bias"))
        return F.layer_norm(x, (HIDDEN,), weight, bias, 1e-12)


def read_safetensors(path):
    with open(path, "rb") as file:
        size = struct.unpack("<Q", file.read(8))[0]
        header = json.loads(file.read(size))
        body = file.read()
    tensors = {}
    for name, entry in header.items():
        if name == "__metadata__" or entry["dtype"] != "F16":
            continue
        start, end = entry["data_offsets"]
        values = np.frombuffer(body[start:end], dtype=np.float16).astype(np.float32).reshape(entry["shape"])
        tensors[name] = torch.from_numpy(values)
    return tensors


def write_safetensors(path, tensors):
    header, parts, offset = {}, [], 0
    for name, tensor in sorted(tensors.items()):
        data = tensor.detach().numpy().astype(np.float16).tobytes()
        header[name] = {"dtype": "F16", "shape": list(tensor.shape), "data_offsets": [offset, offset + len(data)]}
        parts.append(data)
        offset += len(data)
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + b"".join(parts))


def query_batches(queries):
    """Queries of one catalog each, so that the others' right tools are plausible wrong ones."""
    by_family = {}
    for query in queries:
        by_family.setdefault(query["family"], []).append(query)
    cut = []
    for family, members in by_family.items():
        members = members * REPEATS.get(family, 1)
        random.shuffle(members)
        cut += [members[start : start + BATCH_QUERIES] for start in range(0, len(members), BATCH_QUERIES)]
    random.shuffle(cut)
    return [batch for batch in cut if len(batch) >= 8]


def described_batches(tools):
    by_server = {}
    for tool in tools:
        by_server.setdefault(tool["server"], []).append(tool)
    servers = [members for members in by_server.values() if len(members) >= TOOLS_OF_SERVER]
    return [[tool for members in random.sample(servers, SERVERS) for tool in random.sample(members, TOOLS_OF_SERVER)]
            for _ in range(DESCRIBED_BATCHES)]


def mixed(one, other):
    """Both lists, each in its order, spread evenly over the whole."""
    spread = [((index + random.random()) / len(part), place, index) for place, part in enumerate((one, other)) for index in range(len(part))]
    return [(one, other)[place][index] for _, place, index in sorted(spread)]


def pad(texts):
    ids = torch.zeros(len(texts), max(map(len, texts)), dtype=torch.long)
    mask = torch.zeros(ids.shape)
    for row, text in enumerate(texts):
        ids[row, : len(text)] = torch.tensor(text)
        mask[row, : len(text)] = 1
    return ids, mask


def query_loss(encoder, batch, texts):
    kind = random.choices(range(len(TEXT_SHARES)), TEXT_SHARES)[0]
    chosen, right, fine = [], [], []
    for query in batch:
        not_wrong = {place for group in query["groups"] for place in group} | set(query["neither"])
        wrong = [place for place in range(len(query["candidates"])) if place not in not_wrong]
        fine.append({text for place in not_wrong for text in query["candidates"][place]})
        right.append(len(chosen))
        chosen.append(query["candidates"][random.choice(random.choice(query["groups"]))])
        chosen += [query["candidates"][place] for place in random.sample(wrong[:HARDEST], min(HARD_NEGATIVES, len(wrong)))]
    documents = [text_of(tool, kind) for tool in chosen]
    return contrast(encoder, [query["text"] for query in batch], documents, right, fine, texts)


def described_loss(encoder, batch, texts):
    sentences = [random.choice(tool["sentences"]) for tool in batch]
    kind = random.choice((1, 2))
    documents = [text_of(tool["texts"], kind) for tool in batch]
    fine = [{document for other, document in zip(sentences, documents) if other == sentence} | {own}
            for sentence, own in zip(sentences, documents)]
    return contrast(encoder, sentences, documents, list(range(len(batch))), fine, texts)


def text_of(texts, kind):
    """A tool without parameters has no text of the last kind: its name stands for it."""
    return texts[min(kind, len(texts) - 1)]


def contrast(encoder, queries, documents, right, fine, texts):
    """Cross-entropy of each query's right document among all that are not as `fine` for it."""
    with torch.autocast("cpu", dtype=torch.bfloat16):
        query_vectors = encoder(*pad([texts[text] for text in queries]))
        document_vectors = encoder(*pad([texts[text] for text in documents]))
    scores = query_vectors @ document_vectors.T / TEMPERATURE
    for row, allowed in enumerate(fine):
        for column, text in enumerate(documents):
            if column != right[row] and text in allowed:
                scores[row, column] = -1e4
    return F.cross_entropy(scores, torch.tensor(right))


def main():
    parser = argparse.ArgumentParser()
    for option in ("--data", "--weights", "--out"):
        parser.add_argument(option, required=True)
    parser.add_argument("--without-fold", type=int, default=-1)
    parser.add_argument("--without-family", default="")
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    random.seed(options.seed)
    torch.manual_seed(options.seed)

    with open(options.data) as file:
        data = json.load(file)
    left_out = options.without_family.split(",")
    queries = [query for query in data["queries"]
               if query["groups"] and query["fold"] != options.without_fold and query["family"] not in left_out]
    encoder = Encoder(read_safetensors(options.weights))
    parameters = list(encoder.parameters())
    optimizer = torch.optim.AdamW(parameters, lr=LEARNING_RATE, weight_decay=0.01)
    plan = mixed([(query_loss, batch) for _ in range(options.epochs) for batch in query_batches(queries)],
                 [(described_loss, batch) for batch in described_batches(data["tools"])])
    print(f"{len(queries)} queries, {len(plan)} steps", flush=True)
    smooth = None
    for step, (loss_of, batch) in enumerate(plan):
        for group in optimizer.param_groups:
            group["lr"] = LEARNING_RATE * min(1, 10 * (step + 1) / len(plan)) * (1 - step / len(plan))
        loss = loss_of(encoder, batch, data["texts"])
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(parameters, 1.0)
        optimizer.step()
        smooth = loss.item() if smooth is None else 0.95 * smooth + 0.05 * loss.item()
        if step % 50 == 0:
            print(f"step {step}: loss {smooth:.3f}", flush=True)

    tensors = {}
    for key, layer in encoder.linear.items():
        name = key.replace("/", ".")
        tensors[f"{name}.lora_A"] = layer.down
        tensors[f"{name}.lora_B"] = SHARE * layer.up
    write_safetensors(options.out, tensors)


main()
