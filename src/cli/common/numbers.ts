/** Parses the numbers of options. */
import { InvalidArgumentError } from 'commander';

const whole = /^\d{1,10}$/;
export const decimal = /^\d{1,10}(?:\.\d{1,6})?$/;

/** A parser of numbers within bounds, for an option. */
export const numberFrom =
  (least: number, most: number, form = whole) =>
  (text: string): number => {
    if (form.test(text) && Number(text) >= least && Number(text) <= most) return Number(text);
    throw new InvalidArgumentError(`It is a number from ${least} to ${most}.`);
  };
