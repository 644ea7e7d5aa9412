"""ONNX: which types of node have `auto_pad`, and which function makes them."""

from __future__ import annotations

from padlint import catalogue

from .frameworks import module, resolve

GEOMETRY = {"kernel_shape", "strides", "dilations", "pads"}


def test_every_type_with_auto_pad_is_known() -> None:
    schemas = module("onnx").defs.get_all_schemas()
    assert set(catalogue.AUTO_PAD) == {schema.name for schema in schemas if "auto_pad" in schema.attributes}
    for schema in schemas:
        if schema.name in catalogue.AUTO_PAD:
            assert schema.attributes.keys() >= GEOMETRY
            assert schema.attributes["auto_pad"].default_value.s == b"NOTSET"


def test_make_node() -> None:
    module("onnx")
    assert callable(resolve("onnx.helper.make_node"))
    assert catalogue.is_make_node("onnx.helper.make_node")
    for dotted in ("onnx.make_node", "onnx.helper.make_graph", "helper.make_node", "onnx.helper.make_node.x"):
        assert not catalogue.is_make_node(dotted)
