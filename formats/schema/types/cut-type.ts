// Types that YAML cut at a comma: `{type: numeric(10,2)}` has the type `numeric(10` and a member `2)`.

import { clip } from '../../text/value.ts'

/** Returns whether a parenthesis of a type has no end. */
export function isCutType(type: string): boolean {
  return type.includes('(') && type.split('(').length > type.split(')').length
}

/** Returns the warning about such a type. */
export function cutTypeMessage(type: string): string {
  return `The parenthesis of the type "${clip(type)}" has no end. Inside braces, YAML ends a value at a comma: put the type in quotes, such as "numeric(10,2)".`
}
