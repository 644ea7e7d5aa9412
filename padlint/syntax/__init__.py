"""All knowledge of Python source: names, call binding, constant values, uses of a call, edits, suppressions.

Nothing in here knows what padding is; which names matter is passed in as data.
"""
