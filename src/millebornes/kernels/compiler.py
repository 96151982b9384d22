"""Compile kernels with Numba, but make machine code only for the functions that Python calls.

Numba normally optimises each function together with copies of everything that the function calls, makes machine code
from the result, and repeats this for each caller. Here, a function that only kernels call is just translated to LLVM's
intermediate code. A function that Python calls is linked with everything it needs, optimised and compiled to machine
code once, and kept in a file. This takes less than half the time.

No other module uses private parts of Numba. These parts may change in a version of Numba that hasn't been tested. In
that case, importing this module raises `ImportError`, and `millebornes.kernels.numba_cache` is used instead.
"""

import hashlib
import inspect
import pickle
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import numba
from numba.core import compiler, sigutils
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import _FunctionCompiler  # type: ignore[attr-defined]
from numba.core.registry import CPUDispatcher, cpu_target
from numba.core.serialize import dumps

from millebornes.kernels.notice import announce_compiling
from millebornes.kernels.store import KernelStore, processor, sources_beside

__all__ = ["Kernel", "type_of"]

OURS: Final = "_ZN11millebornes"
"""The prefix of the names of kernels in translated code."""


RESULT_FIELDS: Final = frozenset(
    "typing_context target_context entry_point typing_error type_annotation signature objectmode lifted fndesc library"
    " call_helper environment metadata reload_init referenced_envs".split()
)
"""The fields of Numba's record for a compiled function."""


def _missing() -> Iterator[str]:
    """Yield the private parts of Numba used here that are missing or different in the installed version."""
    library = cpu_target.target_context.codegen().create_library("millebornes")
    parts: tuple[tuple[Any, str], ...] = (
        (
            library,
            "_final_module _finalize_final_module _finalized _linking_libraries _raise_if_finalized _reload_init",
        ),
        (library, "_ensure_finalized _get_compiled_object _get_module_for_linking _set_compiled_object"),
        (library, "_verify_declare_only_symbols add_linking_library enable_object_caching get_pointer_to_function"),
        (library.codegen, "magic_tuple set_env _engine"),
        (library.codegen._engine, "_defined_symbols"),
        (CPUDispatcher, "add_overload get_call_template get_overload targetdescr"),
        (cpu_target.target_context, "get_executable insert_user_function refresh"),
        (cpu_target.typing_context, "refresh resolve_value_type"),
        (compiler.Flags, "no_cfunc_wrapper no_compile no_cpython_wrapper"),
        (compiler.CompileResult, "_find_referenced_environments _replace"),
    )
    for owner, names in parts:
        yield from (name for name in names.split() if not hasattr(owner, name))
    calls: tuple[tuple[Callable[..., Any], str], ...] = (
        (_FunctionCompiler, "py_func targetdescr targetoptions locals pipeline_class"),
        (_FunctionCompiler._compile_core, "self args return_type"),
        (compiler.compile_extra, "typingctx targetctx func args return_type flags locals library pipeline_class"),
        (JITCodeLibrary, "codegen name"),
    )
    for called, names in calls:
        if list(inspect.signature(called).parameters) != names.split():
            yield called.__qualname__
    if set(compiler.CR_FIELDS) != RESULT_FIELDS:
        yield "CR_FIELDS"


try:
    if _found := sorted(_missing()):
        raise ImportError(f"Numba {numba.__version__} has no {', '.join(_found)}")
except (AttributeError, TypeError, ValueError) as error:
    raise ImportError(f"Numba {numba.__version__} is not as expected: {error}") from error


def type_of(made: Any) -> Any:
    """Return Numba's type for an object that a kernel refers to."""
    cpu_target.typing_context.refresh()  # Numba needs this to recognise objects that were created just now
    return cpu_target.typing_context.resolve_value_type(made)


class _LinkedKernel(NamedTuple):
    """A translated kernel in the form that `_Library` links: without the functions it calls, which are linked once."""

    kernel: "_Translated"

    @property
    def _reload_init(self) -> Any:
        return self.kernel._reload_init

    def _ensure_finalized(self) -> None:
        self.kernel._ensure_finalized()

    def _get_module_for_linking(self) -> Any:
        return self.kernel.own_module()


class _Library(JITCodeLibrary):  # type: ignore[misc]  # Numba has no types
    """Code linked with everything that it calls, directly or indirectly."""

    def add_linking_library(self, library: Any) -> None:
        if not isinstance(library, _Translated):
            super().add_linking_library(library)
            return
        super().add_linking_library(_LinkedKernel(library))
        for further in library._linking_libraries:  # after their callers, as uncalled code isn't linked
            super().add_linking_library(further)

    def _verify_declare_only_symbols(self) -> None:
        super()._verify_declare_only_symbols()
        for function in self._final_module.functions:
            if function.is_declaration and function.name.startswith(OURS):
                raise AssertionError(f"{function.name} is not linked")  # calling it would crash the process

    @classmethod
    def loaded(cls, codegen: Any, name: str, machine_code: bytes, symbols: tuple[str, ...]) -> "_Library":
        """Return a library of existing machine code. It can't be linked with anything else."""
        library = cls(codegen, name)
        library.enable_object_caching()
        library._set_compiled_object(machine_code)
        library._finalize_final_module()
        codegen._engine._defined_symbols |= set(symbols)
        return library

    def symbols(self) -> tuple[str, ...]:
        module = self._final_module
        return tuple(
            one.name for group in (module.functions, module.global_variables) for one in group if not one.is_declaration
        )


class _Translated(_Library):
    """Code to be linked into other code: translated, but not optimised as a whole or compiled to machine code."""

    _whole: Any = None

    def finalize(self) -> None:
        self._raise_if_finalized()
        self._finalized = True

    def own_module(self) -> Any:
        """Return the code of this function alone, without the functions it calls."""
        return super()._get_module_for_linking()

    def _get_module_for_linking(self) -> Any:
        """Return the code with everything it calls. Numba calls this for functions compiled by its own decorators."""
        if self._whole is None:
            self._whole = self.own_module().clone()
            for part in dict.fromkeys(self._linking_libraries):
                self._whole.link_in(part._get_module_for_linking(), preserve=True)
        return self._whole


class _Bare(_Library):
    """Code with the calling convention of C, without the wrappers through which Python calls a function."""

    def needs_nothing(self) -> bool:
        """Return whether the code calls only functions that LLVM provides or generates, such as memset."""
        functions, variables = self._final_module.functions, self._final_module.global_variables
        called = [one.name for one in functions if one.is_declaration and not one.name.startswith("llvm.")]
        return not called and not any(one.is_declaration for one in variables)


class _Compiler(_FunctionCompiler):  # type: ignore[misc]
    def __init__(self, function: Callable[..., Any], options: dict[str, Any], library: type[_Library]) -> None:
        super().__init__(function, CPUDispatcher.targetdescr, options, {}, compiler.Compiler)
        self._library: Final = library

    def _compile_core(self, args: Any, return_type: Any) -> Any:
        flags = compiler.Flags()
        self.targetdescr.options.parse_as_flags(flags, self.targetoptions)
        flags.no_compile = flags.no_cpython_wrapper = self._library is not _Library
        flags.no_cfunc_wrapper = self._library is _Bare
        context = self.targetdescr.target_context
        library = self._library(context.codegen(), self.py_func.__qualname__)
        library.enable_object_caching()
        return compiler.compile_extra(
            self.targetdescr.typing_context,
            context,
            self.py_func,
            args=args,
            return_type=return_type,
            flags=flags,
            locals=self.locals,
            library=library,
        )


class _Called(CPUDispatcher):  # type: ignore[misc]
    """A function in the form in which other kernels call it."""

    def __init__(self, function: Callable[..., Any], options: dict[str, Any]) -> None:
        super().__init__(function, targetoptions=options)
        self._compiler = _Compiler(function, options, _Translated)

    def compile(self, sig: Any) -> object:
        """Translate the function for the given argument types, and return the object by which kernels refer to it."""
        with global_compiler_lock:
            args, return_type = sigutils.normalize_signature(sig)
            found = self.overloads.get(tuple(args))
            if found is None:
                name = object()  # takes the place of the address, which the function doesn't have
                found = self._compiler.compile(args, return_type)._replace(entry_point=name)
                self.targetctx.insert_user_function(name, found.fndesc, [found.library])
                self.overloads[tuple(args)] = found
            return found.entry_point


class Kernel(CPUDispatcher):  # type: ignore[misc]
    """A function that is compiled when it is first called with arguments of some types, and kept in ``store``."""

    def __init__(self, function: Callable[..., Any], options: dict[str, Any], store: KernelStore) -> None:
        options = {"nopython": True, **options}
        super().__init__(function, targetoptions=options)
        self._compiler = _Compiler(function, options, _Library)
        self._called: Final = _Called(function, options)
        self._store: Final = store

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Return the template with which Numba compiles calls of this kernel."""
        return self._called.get_call_template(args, kws)

    def get_overload(self, sig: Any) -> Any:
        """Return the overload for a signature that other kernels call."""
        return self._called.get_overload(sig)

    def compile(self, sig: Any) -> Any:
        """Load or create the machine code for the given argument types, and return a function that Python can call."""
        with global_compiler_lock:
            args, return_type = sigutils.normalize_signature(sig)
            found = self.overloads.get(tuple(args))
            if found is None:
                self.targetctx.refresh()
                name = self._file_name(args, return_type)
                found = self._load(name)
                if found is None:
                    announce_compiling()
                    found = self._compiler.compile(args, return_type)
                    self._keep(name, found)
                self.add_overload(found)
            return found.entry_point

    def address(self, sig: Any) -> int:
        """Return the address of the code for a signature, which C code could call."""
        self.compile(sig)
        found = self.overloads[tuple(sigutils.normalize_signature(sig)[0])]
        return int(found.library.get_pointer_to_function(found.fndesc.llvm_cfunc_wrapper_name))

    def bare_code(self, sig: Any) -> tuple[str, bytes] | None:
        """Compile the kernel for a signature, and return its name in the object file and the contents of that file.

        Returns None if the code needs Numba. The C function returns a status. Its first two parameters are the
        addresses of the result and of the exception.
        """
        with global_compiler_lock:
            args, return_type = sigutils.normalize_signature(sig)
            self.targetctx.refresh()
            announce_compiling()
            found = _Compiler(self.py_func, self.targetoptions, _Bare).compile(args, return_type)
            library = found.library
            library._ensure_finalized()
            if not library.needs_nothing():
                return None
            return str(found.fndesc.llvm_func_name), bytes(library._get_compiled_object())

    def _file_name(self, args: Any, return_type: Any) -> str:
        function = self.py_func
        code = function.__code__
        which = (function.__module__, function.__qualname__, code.co_firstlineno, hashlib.sha256(code.co_code).digest())
        beside = sources_beside(Path(code.co_filename))
        key = repr((which, beside, str(args), str(return_type), self.targetctx.codegen().magic_tuple(), processor()))
        return f"{function.__name__}-{hashlib.sha256(key.encode()).hexdigest()[:32]}"

    def _keep(self, name: str, found: Any) -> None:
        environments = found._find_referenced_environments()
        for environment in environments:  # the constants of the kernels that it calls
            found.codegen.set_env(environment.env_name, environment)
        if self._store.folder is None or found.library.has_dynamic_globals:
            return
        found.fndesc.typemap = found.fndesc.calltypes = None  # as Numba does once they are no longer needed
        machine_code = found.library._get_compiled_object()
        parts = (found.library.name, machine_code, found.library.symbols()), found.fndesc, found.environment
        self._store.write(name, dumps((*parts, found.signature, tuple(environments))))

    def _load(self, name: str) -> Any:
        """Return the stored code with this name, ready to run, or None if it can't be loaded."""
        data = self._store.read(name)
        if data is None:
            return None
        try:
            code, descriptor, environment, signature, environments = pickle.loads(data)
            context = self.targetctx
            library = _Library.loaded(context.codegen(), *code)
            entry = context.get_executable(library, descriptor, environment)
            for further in environments:
                library.codegen.set_env(further.env_name, further)
        except Exception:  # whatever the error is, the code can be compiled instead
            return None
        return compiler.compile_result(
            typing_context=context.typing_context,
            target_context=context,
            entry_point=entry,
            type_annotation="",
            library=library,
            signature=signature,
            objectmode=False,
            lifted=(),
            fndesc=descriptor,
            environment=environment,
            reload_init=[],
            referenced_envs=environments,
        )
