/** Systems of linear equations: exactly solved, and of more equations than unknowns by least squares. */

type Row = readonly number[];

/** A pivot that is smaller, beside the largest number of the system, is no more than the rounding of zero. */
const smallest = 1e-12;

const at = (rows: readonly Row[], row: number, column: number): number => rows[row]?.[column] ?? 0;

/** Brings the row with the largest number of a column to its place; false where all are zero. */
function bringPivot(rows: number[][], column: number, scale: number): boolean {
  let best = column;
  for (let row = column + 1; row < rows.length; row += 1) {
    if (Math.abs(at(rows, row, column)) > Math.abs(at(rows, best, column))) best = row;
  }
  if (!(Math.abs(at(rows, best, column)) > smallest * scale)) return false;
  const [pivot, other] = [rows[best], rows[column]];
  if (pivot !== undefined && other !== undefined) [rows[column], rows[best]] = [pivot, other];
  return true;
}

function eliminate(rows: number[][], column: number): void {
  const pivot = rows[column] ?? [];
  for (let row = column + 1; row < rows.length; row += 1) {
    const factor = at(rows, row, column) / (pivot[column] ?? 1);
    const target = rows[row];
    if (factor === 0 || target === undefined) continue;
    for (let index = column; index < target.length; index += 1)
      target[index] = (target[index] ?? 0) - factor * (pivot[index] ?? 0);
  }
}

/**
 * Solves A·X = B, both as rows, by elimination with partial pivoting. Each row of the answer has the values of one unknown, in the columns
 * of B. Undefined where the equations do not determine all unknowns.
 */
export function solve(matrix: readonly Row[], values: readonly Row[]): readonly Row[] | undefined {
  const size = matrix.length;
  const rows = matrix.map((row, index) => [...row, ...(values[index] ?? [])]);
  const scale = matrix.reduce((largest, row) => row.reduce((most, one) => Math.max(most, Math.abs(one)), largest), 0);
  for (let column = 0; column < size; column += 1) {
    if (!bringPivot(rows, column, scale)) return undefined;
    eliminate(rows, column);
  }
  const width = values[0]?.length ?? 0;
  const answer: number[][] = Array.from({ length: size }, () => []);
  for (let row = size - 1; row >= 0; row -= 1) {
    answer[row] = Array.from({ length: width }, (_, column) => {
      let rest = at(rows, row, size + column);
      for (let index = row + 1; index < size; index += 1) rest -= at(rows, row, index) * at(answer, index, column);
      return rest / at(rows, row, row);
    });
  }
  return answer;
}

/** The unknowns by which A·X is nearest to B, by the sum of squares; undefined where many are as near. */
export function leastSquares(matrix: readonly Row[], values: readonly Row[]): readonly Row[] | undefined {
  const unknowns = matrix[0]?.length ?? 0;
  const columns = values[0]?.length ?? 0;
  const sum = (one: number, other: readonly Row[], column: number): number =>
    matrix.reduce((total, row, index) => total + (row[one] ?? 0) * at(other, index, column), 0);
  const list = (length: number): readonly number[] => Array.from({ length }, (_, index) => index);
  return solve(
    list(unknowns).map((row) => list(unknowns).map((column) => sum(row, matrix, column))),
    list(unknowns).map((row) => list(columns).map((column) => sum(row, values, column))),
  );
}
