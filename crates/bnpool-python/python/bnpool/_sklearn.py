"""Tags of estimators for scikit-learn. Only imported by calls of scikit-learn."""

from __future__ import annotations

from typing import Any


def tags(kind: str) -> Any:
    """Return the tags of a clusterer, classifier or regressor of graphs."""
    from sklearn.utils import (
        ClassifierTags,
        InputTags,
        RegressorTags,
        Tags,
        TargetTags,
        TransformerTags,
    )

    return Tags(
        estimator_type=kind,
        target_tags=TargetTags(
            required=kind != "clusterer", multi_output=kind == "regressor"
        ),
        transformer_tags=TransformerTags(preserves_dtype=[]),
        classifier_tags=ClassifierTags() if kind == "classifier" else None,
        regressor_tags=RegressorTags() if kind == "regressor" else None,
        input_tags=InputTags(two_d_array=False),
    )
