/** Sample values of all kinds, and random types with parameters, for databases that decide which values a type takes. */

import { LATTICE_WORDS } from './type-lattice.ts'
import type { Random } from './random.ts'

const NUMBERS = [
  '0',
  '1',
  '-1',
  '9',
  '127',
  '128',
  '-128',
  '200',
  '255',
  '256',
  '32767',
  '32768',
  '-32768',
  '65535',
  '65536',
  '8388607',
  '8388608',
  '16777217',
  '2147483647',
  '2147483648',
  '999999999',
  '4294967295',
  '4294967296',
  '9007199254740993',
  '9223372036854775807',
  '9223372036854775808',
  '18446744073709551615',
  '99999999999999999.99',
  '0.5',
  '0.25',
  '1.5',
  '0.001',
  '12345.67',
  '9999999.99',
  '99999.999',
  '0.123456789',
  '123456789012345678901234567',
  '100000000000000000000000000000000000000000',
  '2024',
]

const TEXTS = [
  '',
  'a',
  'b',
  'A',
  'ab',
  'abc',
  'true',
  'x'.repeat(7),
  'x'.repeat(8),
  'x'.repeat(20),
  'x'.repeat(63),
  'x'.repeat(64),
  'é'.repeat(60),
  'x'.repeat(255),
  'é'.repeat(255),
  'x'.repeat(300),
  'x'.repeat(70_000),
  '🙂',
  '10101',
  '101',
  '{"a":1}',
  '[1]',
  '6b9c0a0e-1f0d-4a53-9d0a-2f1a4b7c8d9e',
  '10.0.0.1',
  '1 day',
  '2 years',
]

const MOMENTS = [
  '2024-05-06',
  '2024-05-06 07:08:09',
  '2024-05-06 07:08:09.123',
  '2024-05-06 07:08:09.123456',
  '2050-05-06 07:08:09',
  '07:08:09',
  '07:08:09.123',
  '07:08:09.123456',
  '07:08:00',
]

/** Values as texts; each has one of them at most. */
export const SAMPLE_VALUES: readonly string[] = [...new Set([...NUMBERS, ...TEXTS, ...MOMENTS])]

const PARAMETERS: readonly (readonly [string, number, number?])[] = [
  ['varchar(#)', 300],
  ['char(#)', 60],
  ['decimal(#,#)', 38, 12],
  ['numeric(#,#)', 30, 6],
  ['timestamp(#)', 6],
  ['time(#)', 6],
  ['datetime(#)', 6],
  ['float(#)', 53],
  ['bit(#)', 20],
  ['bit varying(#)', 20],
  ['varbinary(#)', 300],
  ['binary(#)', 60],
]

/** Returns all words of the lattice and some random types with parameters. */
export function listTypes(count: number, random: Random): string[] {
  const withParameters = Array.from({ length: count }, () => {
    const at = Math.floor(random() * PARAMETERS.length)
    const [text = '', first = 1, second = 0] = PARAMETERS[at] ?? []
    const total = 1 + Math.floor(random() * first)
    const fraction = Math.floor(random() * (Math.min(total, second) + 1))
    return text.replace('#', String(total)).replace('#', String(fraction))
  })
  return [...new Set([...LATTICE_WORDS, ...withParameters])]
}
