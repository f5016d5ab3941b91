import type { Value } from '../value.ts'
import { yamlText } from '../yaml-write.ts'

/** Writes the text after the colon of a field, for lines that are indented by `indent`. */
export function afterColon(value: Value, indent: string): string {
  return indentLines(yamlText({ k: value }).slice('k:'.length, -1), indent)
}

/** Writes the text after the dash of an item, for dashes that are indented by `indent`. */
export function afterDash(value: Value, indent: string): string {
  return indentLines(yamlText([value]).slice('-'.length, -1), indent)
}

/** Writes a field with its name, for lines that are indented by `indent`. */
export function fieldLines(name: string, value: Value, indent: string): string {
  return `${yamlName(name)}:${afterColon(value, indent)}`
}

/** Writes the name of a field. */
export function yamlName(name: string): string {
  return yamlText({ [name]: 0 }).slice(0, -': 0\n'.length)
}

/** Writes a whole document, without the line feed at its end. */
export function yamlTop(value: Value): string {
  return yamlText(value).trim()
}

function indentLines(lines: string, indent: string): string {
  return lines.replaceAll(/\n(?!\n|$)/g, `\n${indent}`)
}
