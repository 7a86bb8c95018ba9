/**
 * Assembles functions of WebAssembly from their text, for inner loops on vectors of integers: V8 has no other way to the
 * processor's vector instructions. It knows the instructions that this project uses (WebAssembly Core 2.0, sections 5 and 6).
 */

/** A function that returns nothing, and whose parameters are integers of 32 bits. */
export interface WasmFunction {
  readonly parameters: readonly string[];
  /** Local variables: integers of 32 bits, and vectors of 128. */
  readonly integers: readonly string[];
  readonly vectors: readonly string[];
  /** Instructions and their arguments, separated by white space; `;;` begins a comment. Loops are named. */
  readonly code: string;
}

/** What follows the name of an instruction in the text. */
type Argument = 'none' | 'loop' | 'label' | 'local' | 'integer' | 'lane' | 'lanes';

interface Instruction {
  readonly code: readonly number[];
  readonly argument: Argument;
  /** Bytes that follow the code and the argument. */
  readonly rest?: readonly number[];
}

const integerType = 0x7f;
const vectorType = 0x7b;
const functionType = 0x60;
const noResult = 0x40;
const end = 0x0b;

/** Addresses may be unaligned, and nothing is added to them. */
const address = [0, 0];

const vector = (code: number, argument: Argument = 'none', rest: readonly number[] = []): Instruction => ({
  code: [0xfd, ...unsigned(code)],
  argument,
  rest,
});

const instructions: Readonly<Record<string, Instruction>> = {
  loop: { code: [0x03, noResult], argument: 'loop' },
  end: { code: [end], argument: 'none' },
  br_if: { code: [0x0d], argument: 'label' },
  'local.get': { code: [0x20], argument: 'local' },
  'local.set': { code: [0x21], argument: 'local' },
  'local.tee': { code: [0x22], argument: 'local' },
  'i32.load': { code: [0x28], argument: 'none', rest: address },
  'i32.store': { code: [0x36], argument: 'none', rest: address },
  'i32.store8': { code: [0x3a], argument: 'none', rest: address },
  'i32.const': { code: [0x41], argument: 'integer' },
  'i32.lt_u': { code: [0x49], argument: 'none' },
  'i32.add': { code: [0x6a], argument: 'none' },
  'v128.load': vector(0, 'none', address),
  'i16x8.load8x8_u': vector(2, 'none', address),
  'v128.load32_splat': vector(9, 'none', address),
  'v128.store': vector(11, 'none', address),
  'i8x16.shuffle': vector(13, 'lanes'),
  'i32x4.splat': vector(17),
  'i32x4.extract_lane': vector(27, 'lane'),
  'i8x16.narrow_i16x8_u': vector(102),
  'i16x8.narrow_i32x4_s': vector(133),
  'i32x4.shr_s': vector(172),
  'i32x4.add': vector(174),
  'i32x4.dot_i16x8_s': vector(186),
};

/** An integer from 0 on in LEB128. */
function unsigned(value: number): readonly number[] {
  const bytes: number[] = [];
  for (let rest = value; bytes.length === 0 || rest > 0; rest >>>= 7)
    bytes.push((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0));
  return bytes;
}

/** An integer with its sign in LEB128. */
function signed(value: number): readonly number[] {
  const low = value & 0x7f;
  const rest = value >> 7;
  const isLast = rest === (low & 0x40 ? -1 : 0);
  return isLast ? [low] : [low | 0x80, ...signed(rest)];
}

const list = (items: readonly (readonly number[])[]): readonly number[] => [...unsigned(items.length), ...items.flat()];
const sized = (bytes: readonly number[]): readonly number[] => [...unsigned(bytes.length), ...bytes];
const nameOf = (text: string): readonly number[] => sized([...Buffer.from(text)]);
const section = (id: number, items: readonly (readonly number[])[]): readonly number[] => [id, ...sized(list(items))];

function assembleCode({ parameters, integers, vectors, code }: WasmFunction): readonly number[] {
  const locals = [...parameters, ...integers, ...vectors];
  const words = code.replaceAll(/;;.*$/gm, '').split(/\s+/).filter(Boolean).values();
  const loops: string[] = [];
  const next = (): string => words.next().value ?? '';
  const positionIn = (names: readonly string[], name: string): number => {
    const position = names.lastIndexOf(name);
    if (position < 0) throw new TypeError(`unknown name ${name}`);
    return position;
  };
  const argumentOf: Readonly<Record<Argument, () => readonly number[]>> = {
    none: () => [],
    loop: () => {
      loops.push(next());
      return [];
    },
    label: () => unsigned(loops.length - 1 - positionIn(loops, next())),
    local: () => unsigned(positionIn(locals, next())),
    integer: () => signed(Number(next())),
    lane: () => [Number(next())],
    lanes: () => Array.from({ length: 16 }, () => Number(next())),
  };
  const bytes: number[] = [];
  for (const word of words) {
    const instruction = instructions[word];
    if (instruction === undefined) throw new TypeError(`unknown instruction ${word}`);
    if (word === 'end') loops.pop();
    bytes.push(...instruction.code, ...argumentOf[instruction.argument](), ...(instruction.rest ?? []));
  }
  return bytes;
}

function assembleFunction(source: WasmFunction): readonly number[] {
  const locals = [
    [...unsigned(source.integers.length), integerType],
    [...unsigned(source.vectors.length), vectorType],
  ];
  return sized([...list(locals), ...assembleCode(source), end]);
}

const magicAndVersion = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];

/** A module that exports the functions by their names, and imports the memory `env.memory`. Throws TypeError for unknown names. */
export function assemble(functions: Readonly<Record<string, WasmFunction>>): Uint8Array<ArrayBuffer> {
  const sources = Object.values(functions);
  const types = sources.map(({ parameters }) => [functionType, ...list(parameters.map(() => [integerType])), 0]);
  const memory = [...nameOf('env'), ...nameOf('memory'), 2, 0, 1];
  const exported = Object.keys(functions).map((name, index) => [...nameOf(name), 0, ...unsigned(index)]);
  return Uint8Array.from([
    ...magicAndVersion,
    ...section(1, types),
    ...section(2, [memory]),
    ...section(
      3,
      sources.map((_, index) => unsigned(index)),
    ),
    ...section(7, exported),
    ...section(10, sources.map(assembleFunction)),
  ]);
}
