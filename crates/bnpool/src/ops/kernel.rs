//! Differentiable tensor operations from slice kernels: the bridge to Burn's
//! backend.
//!
//! An operation is a [`Kernel`]: a forward pass and a gradient for each input,
//! on tensors of the CPU backend. One extension trait passes all of them
//! through Burn's dispatch and autodiff, so a new operation is a struct with
//! two methods and needs no changes here.
//!
//! On other devices, and inside [`without_kernels`], an operation takes a portable path
//! through ordinary tensor operations. Tests compare the two.

use bnpool_math::{Real, buffer};
use burn::backend::autodiff::checkpoint::base::Checkpointer;
use burn::backend::autodiff::checkpoint::strategy::CheckpointStrategy;
use burn::backend::autodiff::grads::Gradients;
use burn::backend::autodiff::ops::{Backward, Ops, OpsKind, binary, unary};
use burn::backend::flex::{FlexTensor, Layout};
use burn::backend::tensor::FloatTensor;
use burn::backend::{Autodiff, Backend, Dispatch, Flex, backend_extension};
use burn::tensor::{AllocationProperty, Bytes, DType, Device, Element, Shape, Tensor};
use std::cell::Cell;
use std::fmt::Debug;
use std::sync::Arc;

/// An operation on CPU tensors with a hand-written backward pass.
///
/// A kernel is created for one call. `forward` runs once and, if `tracked`,
/// stores the inputs of the gradients inside the kernel (interior mutability).
pub(crate) trait Kernel: Debug + Send + Sync + 'static {
    /// Computes the result from contiguous inputs of one float type.
    fn forward(&self, inputs: &[FlexTensor], tracked: bool) -> FlexTensor;
    /// Computes the gradient with respect to input `parent`, given that with
    /// respect to the result. Gradients of the inputs that need one are
    /// requested in order, all with the same argument, so a kernel may compute
    /// all of them in the first call.
    fn gradient(&self, parent: usize, gradient: &FlexTensor) -> FlexTensor;
}

/// Runs `$body` with `$T` the float type of a CPU tensor.
macro_rules! by_float {
    ($tensor:expr, $T:ident => $body:expr) => {
        match $tensor.dtype() {
            burn::tensor::DType::F64 => {
                type $T = f64;
                $body
            }
            _ => {
                type $T = f32;
                $body
            }
        }
    };
}
pub(crate) use by_float;

/// The values of a contiguous tensor.
pub(crate) fn values<T: Element + bytemuck::Pod>(tensor: &FlexTensor) -> &[T] {
    tensor
        .as_slice::<T>()
        .expect("kernels receive contiguous tensors")
}

/// Builds a CPU tensor from values. A reusable array returns to the buffer pool
/// with the last tensor that refers to it.
pub(crate) fn tensor<T>(values: Vec<T>, shape: impl Into<Shape>) -> FlexTensor
where
    T: Element + Real + bytemuck::Pod,
{
    let layout = Layout::contiguous(shape.into());
    let bytes = if buffer::is_kept(values.capacity()) {
        let owner = bytes::Bytes::from_owner(Returned(values));
        Bytes::from_shared(owner, AllocationProperty::Native)
    } else {
        Bytes::from_elems(values)
    };
    FlexTensor::new(bytes, layout, T::dtype())
}

/// An array that returns to the pool when dropped.
struct Returned<T: Real>(Vec<T>);

impl<T: Real + bytemuck::Pod> AsRef<[u8]> for Returned<T> {
    fn as_ref(&self) -> &[u8] {
        bytemuck::cast_slice(&self.0)
    }
}

impl<T: Real> Drop for Returned<T> {
    fn drop(&mut self) {
        buffer::give(std::mem::take(&mut self.0));
    }
}

/// Multiplies a tensor by a single-value tensor. Returns the tensor itself for
/// a factor of one, which is the gradient of a sum of losses.
pub(crate) fn times_scalar(x: &FlexTensor, factor: &FlexTensor) -> FlexTensor {
    by_float!(x, T => {
        let factor = values::<T>(factor)[0];
        if factor == 1.0 {
            return x.clone();
        }
        let scaled = values::<T>(x).iter().map(|x| x * factor).collect::<Vec<T>>();
        tensor(scaled, x.layout().shape().clone())
    })
}

#[backend_extension(Flex, Autodiff)]
pub(crate) trait KernelOps: Backend {
    /// A kernel of one input.
    fn kernel_of_one(
        x: FloatTensor<Self>,
        kernel: Arc<dyn Kernel>,
        tracked: bool,
    ) -> FloatTensor<Self>;
    /// A kernel of two inputs.
    fn kernel_of_two(
        x: FloatTensor<Self>,
        y: FloatTensor<Self>,
        kernel: Arc<dyn Kernel>,
        tracked: bool,
    ) -> FloatTensor<Self>;
    /// A kernel of three inputs.
    fn kernel_of_three(
        x: FloatTensor<Self>,
        y: FloatTensor<Self>,
        z: FloatTensor<Self>,
        kernel: Arc<dyn Kernel>,
        tracked: bool,
    ) -> FloatTensor<Self>;
    /// Gradient of a kernel with respect to one of its inputs.
    fn kernel_gradient(
        gradient: FloatTensor<Self>,
        kernel: Arc<dyn Kernel>,
        parent: usize,
    ) -> FloatTensor<Self>;
}

impl KernelOps for Flex {
    fn kernel_of_one(x: FlexTensor, kernel: Arc<dyn Kernel>, tracked: bool) -> FlexTensor {
        kernel.forward(&[x.to_contiguous()], tracked)
    }

    fn kernel_of_two(
        x: FlexTensor,
        y: FlexTensor,
        kernel: Arc<dyn Kernel>,
        tracked: bool,
    ) -> FlexTensor {
        kernel.forward(&[x.to_contiguous(), y.to_contiguous()], tracked)
    }

    fn kernel_of_three(
        x: FlexTensor,
        y: FlexTensor,
        z: FlexTensor,
        kernel: Arc<dyn Kernel>,
        tracked: bool,
    ) -> FlexTensor {
        kernel.forward(&[x, y, z].map(|t| t.to_contiguous()), tracked)
    }

    fn kernel_gradient(gradient: FlexTensor, kernel: Arc<dyn Kernel>, parent: usize) -> FlexTensor {
        kernel.gradient(parent, &gradient.to_contiguous())
    }
}

/// Backward step of all kernels.
#[derive(Debug)]
struct KernelBackward;

impl<B: KernelOps> Backward<B, 1> for KernelBackward {
    type State = Arc<dyn Kernel>;

    fn backward(self, ops: Ops<Self::State, 1>, grads: &mut Gradients, _: &mut Checkpointer) {
        let kernel = ops.state;
        unary::<B, _>(ops.parents, ops.node, grads, |g| {
            B::kernel_gradient(g, kernel, 0)
        });
    }
}

impl<B: KernelOps> Backward<B, 2> for KernelBackward {
    type State = Arc<dyn Kernel>;

    fn backward(self, ops: Ops<Self::State, 2>, grads: &mut Gradients, _: &mut Checkpointer) {
        let kernel = ops.state;
        let second = kernel.clone();
        binary::<B, _, _>(
            ops.parents,
            ops.node,
            grads,
            |g| B::kernel_gradient(g, kernel, 0),
            |g| B::kernel_gradient(g, second, 1),
        );
    }
}

impl<B: KernelOps> Backward<B, 3> for KernelBackward {
    type State = Arc<dyn Kernel>;

    fn backward(self, ops: Ops<Self::State, 3>, grads: &mut Gradients, _: &mut Checkpointer) {
        let gradient = grads.consume::<B>(&ops.node);
        for (i, parent) in ops.parents.into_iter().enumerate() {
            if let Some(parent) = parent {
                let own = B::kernel_gradient(gradient.clone(), ops.state.clone(), i);
                grads.register::<B>(parent.id, own);
            }
        }
    }
}

impl<B: KernelOps, C: CheckpointStrategy> KernelOps for Autodiff<B, C> {
    fn kernel_of_one(x: FloatTensor<Self>, kernel: Arc<dyn Kernel>, _: bool) -> FloatTensor<Self> {
        match KernelBackward
            .prepare::<C>([x.node()])
            .compute_bound()
            .stateful()
        {
            OpsKind::Tracked(prep) => {
                let out = B::kernel_of_one(x.into_primitive(), kernel.clone(), true);
                prep.finish(kernel, out)
            }
            OpsKind::UnTracked(prep) => {
                prep.finish(B::kernel_of_one(x.into_primitive(), kernel, false))
            }
        }
    }

    fn kernel_of_two(
        x: FloatTensor<Self>,
        y: FloatTensor<Self>,
        kernel: Arc<dyn Kernel>,
        _: bool,
    ) -> FloatTensor<Self> {
        match KernelBackward
            .prepare::<C>([x.node(), y.node()])
            .compute_bound()
            .stateful()
        {
            OpsKind::Tracked(prep) => {
                let out =
                    B::kernel_of_two(x.into_primitive(), y.into_primitive(), kernel.clone(), true);
                prep.finish(kernel, out)
            }
            OpsKind::UnTracked(prep) => prep.finish(B::kernel_of_two(
                x.into_primitive(),
                y.into_primitive(),
                kernel,
                false,
            )),
        }
    }

    fn kernel_of_three(
        x: FloatTensor<Self>,
        y: FloatTensor<Self>,
        z: FloatTensor<Self>,
        kernel: Arc<dyn Kernel>,
        _: bool,
    ) -> FloatTensor<Self> {
        let nodes = [x.node(), y.node(), z.node()];
        let run = |kernel: Arc<dyn Kernel>, tracked: bool| {
            let (x, y, z) = (x.into_primitive(), y.into_primitive(), z.into_primitive());
            B::kernel_of_three(x, y, z, kernel, tracked)
        };
        match KernelBackward
            .prepare::<C>(nodes)
            .compute_bound()
            .stateful()
        {
            OpsKind::Tracked(prep) => {
                let out = run(kernel.clone(), true);
                prep.finish(kernel, out)
            }
            OpsKind::UnTracked(prep) => prep.finish(run(kernel, false)),
        }
    }

    fn kernel_gradient(_: FloatTensor<Self>, _: Arc<dyn Kernel>, _: usize) -> FloatTensor<Self> {
        unreachable!(
            "gradients of gradients are not asked for: the backward pass runs on the inner backend"
        )
    }
}

thread_local! {
    /// Set while [`without_kernels`] runs.
    static PORTABLE: Cell<bool> = const { Cell::new(false) };
}

/// Runs `f` with all operations on their portable path, as if the device had no
/// kernels: to compare the two paths, or to exclude the kernels when debugging.
pub fn without_kernels<R>(f: impl FnOnce() -> R) -> R {
    /// Restores the old value, even if `f` panics.
    struct Restore(bool);
    impl Drop for Restore {
        fn drop(&mut self) {
            PORTABLE.set(self.0);
        }
    }
    let _restore = Restore(PORTABLE.replace(true));
    f()
}

/// Returns whether the kernels support this tensor: it is on the CPU backend
/// and has a supported float type. All other tensors take the portable path.
pub(crate) fn has_kernels<const D: usize>(x: &Tensor<D>) -> bool {
    !PORTABLE.get()
        && x.device().inner() == Device::flex()
        && matches!(x.dtype(), DType::F32 | DType::F64)
}

/// Applies a kernel of one input.
pub(crate) fn apply<const D: usize, const E: usize>(
    x: Tensor<D>,
    kernel: impl Kernel,
) -> Tensor<E> {
    Tensor::from_dispatch(Dispatch::kernel_of_one(
        x.into_dispatch(),
        Arc::new(kernel),
        false,
    ))
}

/// Applies a kernel of two inputs.
pub(crate) fn apply_two<const D: usize, const E: usize, const F: usize>(
    x: Tensor<D>,
    y: Tensor<E>,
    kernel: impl Kernel,
) -> Tensor<F> {
    Tensor::from_dispatch(Dispatch::kernel_of_two(
        x.into_dispatch(),
        y.into_dispatch(),
        Arc::new(kernel),
        false,
    ))
}

/// Applies a kernel of three inputs.
pub(crate) fn apply_three<const D: usize, const E: usize, const F: usize, const G: usize>(
    x: Tensor<D>,
    y: Tensor<E>,
    z: Tensor<F>,
    kernel: impl Kernel,
) -> Tensor<G> {
    Tensor::from_dispatch(Dispatch::kernel_of_three(
        x.into_dispatch(),
        y.into_dispatch(),
        z.into_dispatch(),
        Arc::new(kernel),
        false,
    ))
}
