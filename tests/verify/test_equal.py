"""Rewrites that keep the function are proved in the real frameworks."""

from __future__ import annotations

import pytest

from padlint.findings import LayerPair
from padlint.verify import LayerProver
from tests.verify.pairs import EVEN, ODD, make

ONE = EVEN[:1]  # where TensorFlow has to compile, which takes a while

KERAS = {
    "functional call": make(
        "keras",
        "layers.Conv2D(8, 3, strides=2, padding='same')(x)",
        "layers.Conv2D(8, 3, strides=2, padding='valid')(layers.ZeroPadding2D(((0, 1), (0, 1)))(x))",
    ),
    "odd size": make(
        "keras",
        "layers.Conv2D(8, 3, strides=2, padding='same')(x)",
        "layers.Conv2D(8, 3, strides=2, padding='valid')(layers.ZeroPadding2D(1)(x))",
        ODD,
    ),
    "pads differ per axis": make(
        "keras",
        "layers.Conv2D(8, (3, 5), strides=2, padding='same')(x)",
        "layers.Conv2D(8, (3, 5), strides=2, padding='valid')(layers.ZeroPadding2D(((0, 1), (2, 2)))(x))",
        ((8, 9), (12, 11)),
    ),
    "upper case": make(
        "keras",
        "layers.Conv2D(8, 3, 2, 'SAME')(x)",
        "layers.Conv2D(8, 3, 2, 'valid')(layers.ZeroPadding2D(((0, 1), (0, 1)))(x))",
    ),
    "stride 1, even kernel": make(
        "keras",
        "layers.Conv2D(8, 4, padding='same')(x)",
        "layers.Conv2D(8, 4, padding='valid')(layers.ZeroPadding2D(((1, 2), (1, 2)))(x))",
        EVEN + ODD,
    ),
    "dilation": make(
        "keras",
        "layers.Conv2D(8, 3, padding='same', dilation_rate=2)(x)",
        "layers.Conv2D(8, 3, padding='valid', dilation_rate=2)(layers.ZeroPadding2D(2)(x))",
        ONE,
    ),
    "groups": make(
        "keras",
        "layers.Conv2D(8, 3, strides=2, groups=2, padding='same')(x)",
        """
        x = layers.ZeroPadding2D(((0, 1), (0, 1)))(x)
        layers.Conv2D(8, 3, strides=2, groups=2, padding='valid')(x)
        """,
        ONE,
    ),
    "groups that do not divide 4": make(
        "keras",
        "layers.Conv2D(f, 3, strides=2, groups=3, padding='same')(x)",
        """
        x = layers.ZeroPadding2D(((0, 1), (0, 1)))(x)
        layers.Conv2D(f, 3, strides=2, groups=3, padding='valid')(x)
        """,
        ONE,
    ),
    "two statements": make(
        "keras",
        "layers.Conv2D(filters, 3, strides=2, padding='same')(x)",
        """
        x = layers.ZeroPadding2D(((0, 1), (0, 1)))(x)
        layers.Conv2D(filters, 3, strides=2, padding='valid')(x)
        """,
    ),
    "attribute and its call": make(
        "keras",
        """
        self.conv = layers.Conv2D(8, 3, strides=2, padding='same')
        self.conv(x, training=training)
        """,
        """
        self.conv_pad = layers.ZeroPadding2D(((0, 1), (0, 1)))
        self.conv = layers.Conv2D(8, 3, strides=2, padding='valid')
        self.conv(self.conv_pad(x), training=training)
        """,
    ),
    "elements of a Sequential": make(
        "keras",
        """
        a0 = layers.Conv2D(8, 3, strides=2, padding='same', input_shape=(8, 10, 4), activation='relu')
        a0(x)
        """,
        """
        a_pad = layers.ZeroPadding2D(((0, 1), (0, 1)), input_shape=(8, 10, 4))
        a0 = layers.Conv2D(8, 3, strides=2, padding='valid', activation='relu')
        a0(a_pad(x))
        """,
    ),
    "a whole Sequential": make(
        "keras",
        """
        model = keras.Sequential([
            keras.Input((8, 10, 3)),
            layers.Conv2D(8, 3, strides=2, padding='same'),
            layers.BatchNormalization(),
            layers.ReLU(),
        ])
        model(x)
        """,
        """
        model = keras.Sequential([
            keras.Input((8, 10, 3)),
            layers.ZeroPadding2D(((0, 1), (0, 1))),
            layers.Conv2D(8, 3, strides=2, padding='valid'),
            layers.BatchNormalization(),
            layers.ReLU(),
        ])
        model(x)
        """,
    ),
    "channels first": make(
        "keras",
        "layers.Conv2D(8, 3, strides=2, padding='same', data_format='channels_first')(x)",
        """
        x = layers.ZeroPadding2D(((0, 1), (0, 1)), data_format='channels_first')(x)
        layers.Conv2D(8, 3, strides=2, padding='valid', data_format='channels_first')(x)
        """,
        ONE,
    ),
    "everything else in the call": make(
        "keras",
        """
        layers.Conv2D(
            filters=int(width * 8), kernel_size=3, strides=(2, 2), padding='same', use_bias=False,
            name=name + '_c', kernel_initializer='he_normal', kernel_regularizer=l2(1e-4),
            dtype='mixed_float16', activation=act,
        )(x)
        """,
        """
        layers.Conv2D(
            filters=int(width * 8), kernel_size=3, strides=(2, 2), padding='valid', use_bias=False,
            name=name + '_c', kernel_initializer='he_normal', kernel_regularizer=l2(1e-4),
            dtype='mixed_float16', activation=act,
        )(layers.ZeroPadding2D(((0, 1), (0, 1)), dtype='mixed_float16')(x))
        """,
    ),
    "constants of the file": make(
        "keras",
        """
        K = 3
        OPTIONS = {'use_bias': bias, 'padding': 'same'}
        layers.Conv2D(8, K, strides=K - 1, **OPTIONS)(x)
        """,
        """
        K = 3
        OPTIONS = {'use_bias': bias, 'padding': 'valid'}
        layers.Conv2D(8, K, strides=K - 1, **OPTIONS)(layers.ZeroPadding2D(((0, 1),) * 2)(x))
        """,
    ),
    "partial": make(
        "keras",
        """
        Conv = partial(layers.Conv2D, kernel_size=3, padding='same')
        Conv(8, strides=2)(x)
        """,
        """
        Conv = partial(layers.Conv2D, kernel_size=3, padding='same')
        Conv(8, strides=2, padding='valid')(layers.ZeroPadding2D(((0, 1), (0, 1)))(x))
        """,
    ),
    "keras.ops.pad": make(
        "keras",
        "layers.Conv2D(8, 3, strides=2, padding='same')(x)",
        """
        x = keras.ops.pad(x, ((0, 0), (0, 1), (0, 1), (0, 0)))
        layers.Conv2D(8, 3, strides=2, padding='valid')(x)
        """,
    ),
    "pad computed at run time": make(
        "keras",
        "layers.Conv2D(8, 3, strides=2, padding='same')(x)",
        """
        h = min(1 + keras.ops.shape(x)[1] % 2, 9)
        w = max(1 + x.shape[2] % 2, 0)
        x = layers.ZeroPadding2D(((h // 2, h - h // 2), (w // 2, w - w // 2)))(x)
        layers.Conv2D(8, 3, strides=2, padding='valid')(x)
        """,
        ((8, 9), (7, 6)),
    ),
    "Conv1D": make(
        "keras",
        "layers.Conv1D(8, 5, strides=3, padding='same')(x)",
        "layers.Conv1D(8, 5, strides=3, padding='valid')(layers.ZeroPadding1D((1, 1))(x))",
        ((12,), (9,)),
    ),
    "causal Conv1D": make(
        "keras",
        "layers.Conv1D(8, 3, padding='causal', dilation_rate=2)(x)",
        "layers.Conv1D(8, 3, padding='valid', dilation_rate=2)(layers.ZeroPadding1D((4, 0))(x))",
        ((12,), (5,)),
    ),
    "Conv3D": make(
        "keras",
        "layers.Conv3D(4, 3, strides=2, padding='same')(x)",
        "layers.Conv3D(4, 3, strides=2, padding='valid')(layers.ZeroPadding3D(((0, 1), (0, 1), (1, 1)))(x))",
        ((4, 6, 5),),
    ),
    "DepthwiseConv2D": make(
        "keras",
        "layers.DepthwiseConv2D(3, strides=2, padding='same', depth_multiplier=2)(x)",
        """
        x = layers.ZeroPadding2D(((0, 1), (0, 1)))(x)
        layers.DepthwiseConv2D(3, strides=2, padding='valid', depth_multiplier=2)(x)
        """,
    ),
    "SeparableConv2D": make(
        "keras",
        "layers.SeparableConv2D(8, 3, strides=2, padding='same')(x)",
        "layers.SeparableConv2D(8, 3, strides=2, padding='valid')(layers.ZeroPadding2D(((0, 1), (0, 1)))(x))",
    ),
    "Conv2DTranspose and crop": make(
        "keras",
        "layers.Conv2DTranspose(8, 3, strides=2, padding='same')(x)",
        "layers.Cropping2D(((0, 1), (0, 1)))(layers.Conv2DTranspose(8, 3, strides=2, padding='valid')(x))",
        EVEN + ODD,
    ),
    "Conv2DTranspose and slice": make(
        "keras",
        "layers.Conv2DTranspose(8, 3, strides=2, padding='same')(x)",
        "layers.Conv2DTranspose(8, 3, strides=2, padding='valid')(x)[:, :-1, :-1]",
    ),
    "pool whose pad is zero": make(
        "keras",
        "layers.MaxPooling2D(2, padding='same')(x)",
        "layers.MaxPooling2D(2, padding='valid')(x)",
    ),
    "zero pad of a pool after ReLU": make(
        "keras",
        "layers.MaxPooling2D(3, strides=2, padding='same')(layers.ReLU()(x))",
        """
        x = layers.ZeroPadding2D(((0, 1), (0, 1)))(layers.ReLU()(x))
        layers.MaxPooling2D(3, strides=2, padding='valid')(x)
        """,
    ),
    "input that is an expression": make(
        "keras",
        "layers.Conv2D(8, 3, strides=2, padding='same')(self.norm(images / 255.0, training))",
        """
        x = layers.ZeroPadding2D(((0, 1), (0, 1)))(self.norm(images / 255.0, training))
        layers.Conv2D(8, 3, strides=2, padding='valid')(x)
        """,
        input="self.norm( images / 255. , training )",
    ),
}

TENSORFLOW = {
    "conv2d": make(
        "tf",
        "tf.nn.conv2d(x, w, strides=2, padding='SAME')",
        "tf.nn.conv2d(x, w, strides=2, padding=[[0, 0], [0, 1], [0, 1], [0, 0]])",
        kernel=(3, 3),
    ),
    "conv2d with stride and dilation": make(
        "tf",
        "tf.nn.conv2d(x, w, 2, 'SAME', dilations=2, name='c')",
        "tf.nn.conv2d(x, w, 2, [[0, 0], [1, 2], [1, 2], [0, 0]], dilations=2, name='c')",
        ONE,
        kernel=(3, 3),
    ),
    "conv2d channels first": make(
        "tf",
        "tf.nn.conv2d(x, w, [1, 1, 2, 2], 'SAME', 'NCHW')",
        "tf.nn.conv2d(x, w, [1, 1, 2, 2], [[0, 0], [0, 0], [0, 1], [0, 1]], 'NCHW')",
        ONE,
        kernel=(3, 3),
    ),
    "depthwise_conv2d": make(
        "tf",
        "tf.nn.depthwise_conv2d(x, w, [1, 2, 2, 1], 'SAME')",
        "tf.nn.depthwise_conv2d(x, w, [1, 2, 2, 1], [[0, 0], [0, 1], [0, 1], [0, 0]])",
        kernel=(3, 3),
    ),
    "separable_conv2d": make(
        "tf",
        "tf.nn.separable_conv2d(x, d, p, [1, 2, 2, 1], 'SAME')",
        "tf.nn.separable_conv2d(x, d, p, [1, 2, 2, 1], [[0, 0], [0, 1], [0, 1], [0, 0]])",
        kernel=(3, 3),
    ),
    "conv1d": make(
        "tf",
        "tf.nn.conv1d(x, self.w, 2, 'SAME')",
        "tf.nn.conv1d(tf.pad(x, [[0, 0], [0, 1], [0, 0]]), self.w, 2, 'VALID')",
        ((8,), (12,)),
        kernel=(3,),
    ),
    "conv3d": make(
        "tf",
        "tf.nn.conv3d(x, w, [1, 2, 2, 2, 1], 'SAME')",
        "tf.nn.conv3d(tf.pad(x, [[0, 0], [0, 1], [0, 1], [1, 1], [0, 0]]), w, [1, 2, 2, 2, 1], 'VALID')",
        ((4, 6, 5),),
        kernel=(3, 3, 3),
    ),
    "convolution": make(
        "tf",
        "tf.nn.convolution(x, w, strides=[2, 2], padding='SAME')",
        "tf.nn.convolution(tf.pad(x, [[0, 0], [0, 1], [0, 1], [0, 0]]), w, strides=[2, 2], padding='VALID')",
        kernel=(3, 3),
    ),
    "conv2d of TF 1": make(
        "tf",
        "tf.compat.v1.nn.conv2d(x, filter=w, strides=[1, 2, 2, 1], padding='SAME')",
        """
        tf.compat.v1.nn.conv2d(
            x, filter=w, strides=[1, 2, 2, 1], padding=[[0, 0], [0, 1], [0, 1], [0, 0]]
        )
        """,
        kernel=(3, 3),
    ),
    "weight that is a call": make(
        "tf",
        "tf.nn.conv2d(x, tf.Variable(tf.random.normal([3, 3, 3, 8])), 2, 'SAME')",
        """
        tf.nn.conv2d(
            x, tf.Variable(tf.random.normal([3, 3, 3, 8])), 2, [[0, 0], [0, 1], [0, 1], [0, 0]]
        )
        """,
        kernel=(3, 3),
    ),
    "max_pool2d": make(
        "tf",
        "tf.nn.max_pool2d(x, 3, 2, 'SAME')",
        "tf.nn.max_pool2d(x, 3, 2, [[0, 0], [0, 1], [0, 1], [0, 0]])",
    ),
    "infinite pad of a pool": make(
        "tf",
        "tf.nn.max_pool2d(x, 3, 2, 'SAME')",
        """
        x = tf.pad(x, [[0, 0], [0, 1], [0, 1], [0, 0]], constant_values=-math.inf)
        tf.nn.max_pool2d(x, 3, 2, 'VALID')
        """,
    ),
}

TORCH = {
    "Conv2d": make(
        "torch",
        """
        self.pad = nn.ZeroPad2d(1)
        self.conv = nn.Conv2d(3, 8, 3, stride=2)
        self.conv(self.pad(x))
        """,
        """
        self.pad = nn.Identity()
        self.conv = nn.Conv2d(3, 8, 3, stride=2, padding=1)
        self.conv(self.pad(x))
        """,
        EVEN + ODD,
    ),
    "Conv1d": make(
        "torch",
        "self.conv = nn.Conv1d(4, 8, 3, dilation=2)\nself.conv(F.pad(x, (2, 2)))",
        "self.conv = nn.Conv1d(4, 8, 3, dilation=2, padding=2)\nself.conv(x)",
        ((9,), (14,)),
    ),
    "Conv3d": make(
        "torch",
        "self.conv = nn.Conv3d(2, 4, 3, padding=1)\nself.conv(F.pad(x, (1, 1, 0, 0, 2, 2)))",
        "self.conv = nn.Conv3d(2, 4, 3, padding=(3, 1, 2))\nself.conv(x)",
        ((4, 5, 6),),
    ),
    "unknown channels and groups": make(
        "torch",
        """
        self.conv = nn.Conv2d(dim, dim * 2, 3, groups=dim, bias=bias, device=device)
        self.conv(F.pad(h, (1,) * 4))
        """,
        """
        self.conv = nn.Conv2d(dim, dim * 2, 3, padding=1, groups=dim, bias=bias, device=device)
        self.conv(h)
        """,
        input="h",
    ),
    "elements of a Sequential": make(
        "torch",
        """
        a0 = nn.ZeroPad2d((1, 1, 1, 1))
        a1 = nn.Conv2d(in_channels=6, out_channels=9, kernel_size=3, groups=3)
        a1(a0(x))
        """,
        """
        a0 = nn.Identity()
        a1 = nn.Conv2d(in_channels=6, out_channels=9, kernel_size=3, groups=3, padding=1)
        a1(a0(x))
        """,
    ),
    "a whole Sequential": make(
        "torch",
        """
        self.net = nn.Sequential(nn.ZeroPad2d(1), nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8), nn.ReLU(True))
        self.net(x)
        """,
        """
        self.net = nn.Sequential(
            nn.Identity(), nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(True)
        )
        self.net(x)
        """,
    ),
    "named Sequential": make(
        "torch",
        """
        self.net = nn.Sequential(OrderedDict([("pad", nn.ZeroPad2d(1)), ("conv", nn.Conv2d(3, 8, 3))]))
        self.net(x)
        """,
        """
        self.net = nn.Sequential(
            OrderedDict([("pad", nn.Identity()), ("conv", nn.Conv2d(3, 8, 3, padding=1))])
        )
        self.net(x)
        """,
    ),
    "class that pads": make(
        "torch",
        """
        self.net = nn.Sequential(nn.Conv2d(3, 8, 4, padding='same'), nn.ReLU())
        self.net(x)
        """,
        """
        class PaddedConv2d(nn.Conv2d):
            '''A convolution that pads its own input.'''

            def forward(self, input: torch.Tensor) -> torch.Tensor:
                return self._conv_forward(F.pad(input, (1, 2, 1, 2)), self.weight, self.bias)

        self.net = nn.Sequential(PaddedConv2d(3, 8, 4), nn.ReLU())
        self.net(x)
        """,
    ),
    "'same' as a number": make(
        "torch",
        "self.conv = nn.Conv2d(3, 8, (3, 5), padding='same', dilation=2)\nself.conv(x)",
        "self.conv = nn.Conv2d(3, 8, (3, 5), padding=(2, 4), dilation=2)\nself.conv(x)",
    ),
    "padding mode as a pad": make(
        "torch",
        "self.conv = nn.Conv2d(3, 8, 3, padding=1, padding_mode='reflect')\nself.conv(x)",
        "self.conv = nn.Conv2d(3, 8, 3)\nself.conv(F.pad(x, (1, 1, 1, 1), mode='reflect'))",
    ),
    "functional": make(
        "torch",
        "F.conv2d(F.pad(x, (2, 2, 1, 1)), self.conv.weight, self.conv.bias, stride=2)",
        "F.conv2d(x, self.conv.weight, self.conv.bias, stride=2, padding=(1, 2))",
        kernel=(3, 5),
    ),
    "functional with groups": make(
        "torch",
        "F.conv2d(F.pad(x, (1, 1, 1, 1)), w, None, 1, 0, 1, 2)",
        "F.conv2d(x, w, None, 1, 1, 1, 2)",
        kernel=(3, 3),
    ),
    "transposed, cropped": make(
        "torch",
        "self.up = nn.ConvTranspose2d(4, 8, 4, stride=2, padding=1)\nself.up(x)",
        "self.up = nn.ConvTranspose2d(4, 8, 4, stride=2)\nself.up(x)[:, :, 1:-1, 1:-1]",
    ),
    "functional transposed": make(
        "torch",
        "F.conv_transpose2d(x, w, b, stride=2, padding=1)",
        "F.conv_transpose2d(x, w, b, stride=2)[..., 1:-1, 1:-1]",
        kernel=(4, 4),
    ),
    "average pool": make(
        "torch",
        "self.pool = nn.AvgPool2d(3, stride=2)\nself.pool(F.pad(x, (1, 1, 1, 1)))",
        "self.pool = nn.AvgPool2d(3, stride=2, padding=1)\nself.pool(x)",
    ),
    "max pool after ReLU": make(
        "torch",
        "F.max_pool2d(F.pad(F.relu(x), (1, 1, 1, 1)), 3, 2)",
        "F.max_pool2d(F.relu(x), 3, 2, padding=1)",
    ),
    "infinite pad of a pool": make(
        "torch",
        "F.max_pool2d(x, 3, 2, padding=1)",
        "F.max_pool2d(F.pad(x, (1, 1, 1, 1), value=float('-inf')), 3, 2)",
    ),
    "many channels": make(
        "torch",
        """
        self.net = nn.Sequential(
            nn.ZeroPad2d(1), nn.Conv2d(2048, 1024, 3, groups=512), nn.GroupNorm(256, 1024), nn.PReLU(1024)
        )
        self.net(x)
        """,
        """
        self.net = nn.Sequential(
            nn.Identity(), nn.Conv2d(2048, 1024, 3, padding=1, groups=512), nn.GroupNorm(256, 1024),
            nn.PReLU(1024)
        )
        self.net(x)
        """,
    ),
    "many channels, one number not understood": make(
        "torch",
        """
        self.net = nn.Sequential(nn.ZeroPad2d(1), nn.Conv2d(64, 32, 3), nn.LayerNorm((32, 8, 10)))
        self.net(x)
        """,
        """
        self.net = nn.Sequential(nn.Identity(), nn.Conv2d(64, 32, 3, padding=1), nn.LayerNorm((32, 8, 10)))
        self.net(x)
        """,
        ((8, 10),),
    ),
    "lazy layer": make(
        "torch",
        "self.conv = nn.LazyConv2d(8, 3)\nself.conv(F.pad(x, (1, 1, 1, 1)))",
        "self.conv = nn.LazyConv2d(8, 3, padding=1)\nself.conv(x)",
    ),
    "partial": make(
        "torch",
        "Conv = partial(nn.Conv2d, bias=False)\nself.conv = Conv(3, 8, 3)\nself.conv(F.pad(x, (1, 1, 1, 1)))",
        "Conv = partial(nn.Conv2d, bias=False)\nself.conv = Conv(3, 8, 3, padding=1)\nself.conv(x)",
    ),
    "input by keyword": make(
        "torch",
        "self.conv: nn.Module = nn.Conv2d(3, 8, 3)\nself.conv(input=F.pad(input=x, pad=(1, 1, 1, 1)))",
        "self.conv: nn.Module = nn.Conv2d(3, 8, 3, padding=1)\nself.conv(input=x)",
    ),
    "dropout is off": make("torch", "nn.Dropout()(x)", "nn.Identity()(x)"),
    "alias of a class": make(
        "torch",
        "Conv = nn.Conv2d\nself.conv = Conv(3, 8, 3)\nself.conv(F.pad(x, (1, 1, 1, 1)))",
        "Conv = nn.Conv2d\nself.conv = Conv(3, 8, 3, padding=1)\nself.conv(x)",
    ),
}


FLOAT32 = make(
    "keras", "layers.MaxPooling3D(2, padding='same')(x)", "layers.MaxPooling3D(2)(x)", ((4, 6, 8),)
)


@pytest.mark.parametrize(
    "pair", [*KERAS.values(), *TENSORFLOW.values(), *TORCH.values()], ids=[*KERAS, *TENSORFLOW, *TORCH]
)
def test_equal(prover: LayerProver, pair: LayerPair) -> None:
    (proof,) = prover([pair])
    assert (proof.result, proof.framework, proof.sizes) == ("equal", pair.framework, pair.sizes), proof.detail
    assert proof.max_abs is not None
    assert proof.max_abs < 1e-12
    assert proof.dtype == "float64"


def test_kernel_without_float64(prover: LayerProver) -> None:
    (proof,) = prover([FLOAT32])
    assert (proof.result, proof.dtype, proof.max_abs) == ("equal", "float32", 0.0)


def test_sample_activation_is_mentioned(prover: LayerProver) -> None:
    (proof,) = prover([KERAS["everything else in the call"]])
    assert proof.detail == "activation 'act' was left out"
