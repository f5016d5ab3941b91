/**
 * `npm run check`: everything but the tests that must hold before a commit. One line a check, and
 * the output only of those that fail.
 */

import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'

type Check = {
  readonly name: string
  /** The program and its arguments, from the repository's root. */
  readonly command: readonly string[]
}

const root = resolve(import.meta.dirname, '..')
const node = process.execPath
const test = ['--test', '--test-reporter=dot']

// Written out from the code and kept in the repository; each script says when its file is stale.
const generatedFiles: readonly Check[] = [
  { name: 'schema', command: ['scripts/schema.ts', '--check'] },
  { name: 'openapi', command: ['scripts/openapi.ts', '--check'] },
]

// The longest come first.
const checks: readonly Check[] = [
  {
    name: 'lint',
    command: ['node_modules/oxlint/bin/oxlint', '--type-aware', '--deny-warnings'],
  },
  { name: 'types', command: ['node_modules/typescript/bin/tsc', '-p', '.'] },
  { name: 'types of the pages', command: ['node_modules/typescript/bin/tsc', '-p', 'web'] },
  ...generatedFiles.filter(({ command }) => existsSync(resolve(root, command[0] ?? ''))),
  { name: 'architecture', command: [...test, 'test/architecture.test.ts'] },
  { name: 'documents', command: [...test, 'test/documents.test.ts'] },
  { name: 'language', command: ['scripts/language.ts'] },
  { name: 'format', command: ['node_modules/oxfmt/bin/oxfmt', '--check'] },
]

process.exitCode = (await runAll([...checks, lockfileCheck()])) ? 0 : 1

/** npm refuses a lockfile that is incomplete or behind package.json, but only in a clean install. */
function lockfileCheck(): Check {
  const { npm_node_execpath: npmNode, npm_execpath: npmCli } = process.env
  const npm = npmNode && npmCli?.endsWith('npm-cli.js') ? [npmNode, npmCli] : ['npm']
  return { name: 'lockfile', command: [...npm, 'ci', '--dry-run', '--include=dev'] }
}

/** Runs the checks side by side, as many as there are processors; says whether all hold. */
async function runAll(all: readonly Check[]): Promise<boolean> {
  const waiting = all.values()
  let allHold = true
  const runWaiting = async (): Promise<void> => {
    for (const check of waiting) if (!(await runCheck(check))) allHold = false
  }
  await Promise.all(Array.from({ length: availableParallelism() }, runWaiting))
  return allHold
}

/** Runs one check and prints its line, and its output when it fails. */
async function runCheck({ name, command }: Check): Promise<boolean> {
  const startedAt = performance.now()
  const { code, output } = await run(command)
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  console.log(`${code === 0 ? '✔' : '✖'} ${name} (${seconds} s)`)
  if (code !== 0) console.log(`${output.trim()}\n`)
  return code === 0
}

/** Runs a program, or a script of ours or of a package under the present Node. */
function run([first = '', ...rest]: readonly string[]): Promise<{ code: number; output: string }> {
  const isScript = first.startsWith('-') || /^(node_modules|scripts)\//.test(first)
  const [program, args] = isScript ? [node, [first, ...rest]] : [first, rest]
  return new Promise((settle) => {
    let output = ''
    const child = spawn(program, args, {
      cwd: root,
      env: { ...process.env, NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.once('error', (error) => settle({ code: 1, output: error.message }))
    child.once('close', (code) => settle({ code: code ?? 1, output }))
  })
}
