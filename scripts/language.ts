/**
 * `npm run language [-- <path>…]`: lists wording to avoid in comments, messages and documents
 * (`scripts/language-rules.ts`), and further words for acts that have one (`scripts/act-words.ts`), one line each, and exits with 1 if it finds any.
 */

import { globSync, readFileSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { readSource } from '../test/source-file.ts'
import { ACT_WORDS, isProductText, readMarkup } from './act-words.ts'
import { HEADLESS, LANGUAGE_RULES, type LanguageRule } from './language-rules.ts'

const ROOT = resolve(import.meta.dirname, '..')
const IGNORED = /^scripts\/(language-rules|act-words)\.ts$|(openapi|stop-words)\.ts$/

const paths = process.argv.slice(2)
const problems = (paths.length > 0 ? paths : ['.']).flatMap(listFiles).flatMap(findProblems)
for (const problem of problems) console.log(problem)
process.exitCode = problems.length === 0 ? 0 : 1

function listFiles(path: string): string[] {
  const pattern = /\.\w+$/.test(path) ? path : `${path}/**/*.{ts,tsx,md}`
  return globSync(pattern, { cwd: ROOT, exclude: isExcludedFolder })
    .map((file) => relative(ROOT, resolve(ROOT, file)))
    .filter((file) => !IGNORED.test(file))
}

function isExcludedFolder(path: string): boolean {
  return /(^|\/)(node_modules|dist|\.\w+)$/.test(path)
}

function findProblems(path: string): string[] {
  const text = readFileSync(resolve(ROOT, path), 'utf8')
  const prose = path.endsWith('.md') ? readDocumentProse(text) : readSourceProse(path, text)
  const found = findWith([...LANGUAGE_RULES, HEADLESS], path, prose)
  if (!isProductText(path)) return found
  const words = path.endsWith('.md') ? prose : readProductWords(path, text)
  return [...found, ...findWith(ACT_WORDS, path, words)]
}

function findWith(rules: readonly LanguageRule[], path: string, prose: readonly Prose[]): string[] {
  return prose.flatMap((piece) => rules.flatMap((rule) => describe(path, piece, rule) ?? []))
}

/** Returns the strings that begin like a label or read like a sentence, and the texts of elements. */
function readProductWords(path: string, text: string): Prose[] {
  const strings = readSource(path, text).tokens.filter(
    ({ kind, text: value }) =>
      /string|template/.test(kind) && /[a-z]{2} [a-z]|^[A-Z][a-z]+( |$)/.test(value),
  )
  return [...strings, ...(path.endsWith('.tsx') ? readMarkup(text) : [])]
}

interface Prose {
  readonly text: string
  readonly line: number
}

/** Returns comments without their code, and strings that read like a sentence. */
function readSourceProse(path: string, text: string): Prose[] {
  const { comments, tokens } = readSource(path, text)
  const strings = tokens.filter(
    ({ kind, text: value }) => /string|template/.test(kind) && /[a-z]{2} [a-z]/.test(value),
  )
  return [...comments, ...strings].map(({ text: prose, line }) => ({
    text: prose.replaceAll(/`[^`\n]*`/g, blank),
    line,
  }))
}

/** Returns the lines of Markdown without code and link targets. */
function readDocumentProse(text: string): Prose[] {
  const prose = text.replaceAll(/```[\s\S]*?```|`[^`\n]*`|(?<=\])\([^)\n]*\)/g, blank)
  return prose.split('\n').map((line, index) => ({ text: line, line: index + 1 }))
}

function blank(code: string): string {
  return code.replaceAll(/[^\n]/g, ' ')
}

function describe(path: string, { text, line }: Prose, rule: LanguageRule): string | undefined {
  const match = rule.pattern.exec(text)
  if (match === null) return undefined
  const before = text.slice(0, match.index).split('\n').length - 1
  const word = match[0].replaceAll(/^\/\*\*[\s*]*/g, '')
  return `${path}:${line + before} "${word}": write ${rule.instead}`
}
