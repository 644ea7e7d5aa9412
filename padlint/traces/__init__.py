"""What a traced run showed, as data: the format of trace files, reading and merging them.

A trace file is JSON with "format": "padlint-trace" and "version": 1, `project`, `files` and `flow`.

`project` leads from the folder of the trace to the folder that `files` is relative to. `files` has, per path,
the `sha256` of the content that ran and `calls`: one for each place in it that builds a layer or calls an
operator. A call has `row`, `column`, `end_row`, `end_column` (from 1, in characters; columns are null where
Python cannot tell them), the `operator` by its canonical name, `runs`, and `more`: how often it ran in other
ways than these, of which there were too many. A run has

    arguments   what the operator was given, by role: kernel, stride, dilation, padding, data_format, ...
    layout      channels_last or channels_first; `all` if `input` and `output` have all axes of the tensor
    input       spatial sizes that came in, null for one that was open
    output      spatial sizes that went out
    dtype       of the input
    used        [path, row] of the call that ran a layer for the first time, or null
    count       how often, symbolic calls included

`flow` lists the layers in the order in which they ran first: `name`, `file`, `call` and `run` (indices into
`files`), and per axis `field`, the receptive field of an output, and `step`, the total stride; null if not
known. Both follow the tensors from layer to layer; where other code made the tensor, it is taken for what the
latest layer with an output of that size made.
"""
