"""`tf.image`: resizing to a given size."""

from __future__ import annotations

from padlint.catalogue.model import Family, Kind
from padlint.catalogue.table import Namespace, Row, Spelling

_ROLES = {
    "images": "input",
    "image": "input",
    "size": "output_size",
    "target_height": "output_size*",
    "target_width": "output_size*",
}

IMAGE = Namespace(
    "tf.image",
    "tf",
    Kind.FUNCTION,
    _ROLES,
    (
        Row(
            Family.RESIZE,
            "resize",
            "images, size, method='bilinear', preserve_aspect_ratio=False, antialias=False, name=None",
            ndim=2,
            unless="preserve_aspect_ratio",
        ),
        Row(
            Family.RESIZE,
            "resize_with_pad",
            "image, target_height, target_width, method='bilinear', antialias=False",
            ndim=2,
        ),
        Row(
            Family.RESIZE,
            "resize_with_crop_or_pad=resize_image_with_crop_or_pad",
            "image, target_height, target_width",
            ndim=2,
        ),
    ),
    older="tf.compat.v1.image",
)

IMAGE_V1 = Namespace(
    "tf.compat.v1.image",
    "tf",
    Kind.FUNCTION,
    _ROLES,
    (
        Row(
            Family.RESIZE,
            "resize=resize_images",
            "images, size, method=0, align_corners=False, preserve_aspect_ratio=False, name=None",
            ndim=2,
            unless="preserve_aspect_ratio",
        ),
        Row(
            Family.RESIZE,
            "resize_bilinear resize_nearest_neighbor resize_bicubic",
            "images, size, align_corners=False, name=None, half_pixel_centers=False",
            ndim=2,
        ),
        Row(
            Family.RESIZE,
            "resize_image_with_pad",
            "image, target_height, target_width, method=0, align_corners=False",
            ndim=2,
        ),
    ),
)

PACKAGES = ("tensorflow",)
NAMESPACES = (IMAGE, IMAGE_V1)
SPELLINGS = (
    Spelling(r"tensorflow(\.compat\.v2)?\.image", IMAGE.name, star=True),
    Spelling(r"tensorflow\.compat\.v1\.image", IMAGE_V1.name, star=True),
    Spelling(r"tensorflow\.compat\.v1\.image", IMAGE.name, star=True),
    Spelling(r"tensorflow\.image", IMAGE_V1.name),  # what only TF 1 has there
)
