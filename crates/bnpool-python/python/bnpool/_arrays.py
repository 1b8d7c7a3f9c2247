"""Conversion of arrays."""

from __future__ import annotations

from typing import Any, Optional, Tuple

import numpy as np
from numpy.typing import NDArray

#: Types that the engine reads in place.
WHOLE = (np.int64, np.int32, np.uint32, np.uint64)
NUMBERS = (np.float32, np.float64)


def is_sparse(value: Any) -> bool:
    """Return whether this is a sparse scipy matrix, without importing scipy."""
    return type(value).__module__.startswith("scipy.sparse") and hasattr(value, "tocsr")


def plain(value: Any) -> Any:
    """Convert a torch tensor to an array; return anything else unchanged."""
    if hasattr(value, "detach") and hasattr(value, "cpu"):
        return value.detach().cpu().numpy()
    return value


def whole(values: Any, what: str) -> NDArray[Any]:
    """Return one-dimensional integers, copied only if their type requires it."""
    array = np.asarray(plain(values))
    if array.ndim != 1:
        raise ValueError(f"{what}: an array of shape {array.shape} is no list of nodes")
    if array.dtype.type in WHOLE:
        return array
    if array.dtype.kind in "iub":
        return array.astype(np.int64)
    if array.dtype.kind == "f" and np.all(np.mod(array, 1) == 0) and np.isfinite(array).all():
        return array.astype(np.int64)
    if array.size == 0:
        return array.astype(np.int64)
    raise ValueError(f"{what}: nodes are whole numbers from 0, and this holds {array.dtype}")


def numbers(values: Any, what: str, ndim: int) -> NDArray[Any]:
    """Return numbers, copied only if their type requires it."""
    try:
        array = np.asarray(plain(values))
    except ValueError as error:
        raise ValueError(f"{what}: its rows are not of one length ({error})") from None
    if array.dtype.kind == "O":
        try:
            array = array.astype(np.float64)
        except (TypeError, ValueError):
            raise ValueError(
                f"{what}: it holds values that are no numbers; make numbers of them first, "
                "for example a column of zeros and ones for every value"
            ) from None
    if array.dtype.kind not in "fiub":
        raise ValueError(
            f"{what}: it holds {array.dtype}, and numbers are needed; make numbers of them "
            "first, for example a column of zeros and ones for every value"
        )
    if array.ndim != ndim:
        raise ValueError(f"{what}: an array of shape {array.shape}; {ndim} dimensions are needed")
    return array if array.dtype.type in NUMBERS else array.astype(np.float64)


def feature_arrays(X: Any) -> Any:
    """Return node features as a dense array or a sparse matrix in compressed rows."""
    if is_sparse(X):
        rows = X.tocsr()
        if rows.data.dtype.type not in NUMBERS:
            rows = rows.astype(np.float64)
        return rows
    if hasattr(X, "to_numpy") and hasattr(X, "columns"):
        X = X.to_numpy()
    return numbers(X, "X", 2)


def csr_or_arrays(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int64],
    weights: Optional[NDArray[np.float32]],
    shape: Tuple[int, int],
) -> Any:
    """Return a sparse scipy matrix if scipy is installed, otherwise its arrays."""
    data = np.ones(len(indices), dtype=np.float32) if weights is None else weights
    try:
        from scipy.sparse import csr_matrix
    except ImportError:
        return indptr, indices, data
    return csr_matrix((data, indices, indptr), shape=shape)
