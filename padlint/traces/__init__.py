"""What a traced run showed, as data: the format of trace files, reading and merging them.

A trace file is JSON with "format": "padlint-trace" and "version": 1, `project`, `files` and `flow`.

`project` leads from the folder of the trace to the folder that `files` is relative to. `files` has, per path,
the `sha256` of the content that ran and `calls`: one for each place in it that builds a layer or calls an
operator. A call has `row`, `column`, `end_row`, `end_column` (from 1, in characters; columns are null where
Python cannot tell them), the `operator` by its canonical name, `runs`, and `more`: how often it ran in ways
that are not among these, since there were too many or they could not be recorded. A run has

    arguments   what the operator was given, by role: kernel, stride, dilation, padding, data_format, ...
    layout      channels_last or channels_first; `all` if `input` and `output` have all axes of the tensor
    input       spatial sizes that came in, null for one that was open
    output      spatial sizes that went out
    dtype       of the input
    used        [path, row] of the call that ran a layer for the first time, or null
    count       how often with real numbers
    symbolic    how often besides while a model was built, initialised or traced; left out if never

`flow` lists the layers in the order in which they ran first: `name`, `file`, `call` and `run` (indices into
`files`), and per axis `field`, the receptive field of an output, and `step`, the total stride. Both follow
the tensors from layer to layer, and are null where that is not possible. Normalisation by statistics of the
map, and factors that are the same at every position, are left aside.

`missed` lists what could not be recorded in the latest run: `what`, `reason`, `count`.
"""
