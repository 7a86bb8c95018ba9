import { expect, it } from 'vitest';
import { assemble, type WasmFunction } from '../../../../src/render/resample/assembler.ts';

const count: WasmFunction = {
  parameters: ['to', 'end', 'step'],
  integers: ['at'],
  vectors: [],
  code: `
    loop numbers
      local.get to local.get at i32.store ;; a comment
      local.get to i32.const 4 i32.add local.set to
      local.get at local.get step i32.add local.tee at local.get end i32.lt_u br_if numbers
    end`,
};

type Count = (to: number, end: number, step: number) => void;

function run(source: WasmFunction, ...values: readonly [to: number, end: number, step: number]): readonly number[] {
  const memory = new WebAssembly.Memory({ initial: 1 });
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(assemble({ count: source })), {
    env: { memory },
  });
  (exports['count'] as Count)(...values);
  return [...new Int32Array(memory.buffer, 0, 5)];
}

it('makes functions of loops, parameters and variables', () => {
  expect(run(count, 4, 600, 200)).toEqual([0, 0, 200, 400, 0]);
});

it.each([-65, -64, -1, 0, 63, 64, 127, 128, 262_144, -2_147_483_648, 2_147_483_647])(
  'writes the number %d',
  (number) => {
    const code = `local.get to i32.const ${number} i32.store`;
    expect(run({ ...count, code }, 0, 0, 0)[0]).toBe(number);
  },
);

it('refuses names that it does not know', () => {
  expect(() => assemble({ count: { ...count, code: 'i64.add' } })).toThrow('unknown instruction i64.add');
  expect(() => assemble({ count: { ...count, code: 'local.get from' } })).toThrow('unknown name from');
});
