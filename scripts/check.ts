/**
 * `npm run check`: runs all checks before a commit, except the tests. Prints one line for each check, and the
 * output of those that fail.
 */

import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { ensureApiTypes } from './ensure-api-types.ts'

type Check = {
  readonly name: string
  /** The program and its arguments, relative to the repository's root. */
  readonly command: readonly string[]
}

const root = resolve(import.meta.dirname, '..')
const node = process.execPath
const test = ['--test', '--test-reporter=dot']

// Generated files in the repository; each script reports a stale file.
const generatedFiles: readonly Check[] = [
  { name: 'schema', command: ['scripts/schema.ts', '--check'] },
  { name: 'openapi', command: ['scripts/openapi.ts', '--check'] },
  { name: 'deployment', command: ['scripts/deployment.ts', '--check'] },
]

// The slowest checks come first.
const checks: readonly Check[] = [
  {
    name: 'lint',
    command: ['node_modules/oxlint/bin/oxlint', '--type-aware', '--deny-warnings'],
  },
  { name: 'types', command: ['node_modules/typescript/bin/tsc', '-p', '.'] },
  { name: 'types of the pages', command: ['node_modules/typescript/bin/tsc', '-p', 'web'] },
  // The pages themselves must not use the types of Node.
  {
    name: 'types of the tests of the pages',
    command: ['node_modules/typescript/bin/tsc', '-p', 'web/tsconfig.test.json'],
  },
  ...generatedFiles.filter(({ command }) => existsSync(resolve(root, command[0] ?? ''))),
  { name: 'architecture', command: [...test, 'test/architecture.test.ts'] },
  { name: 'style', command: [...test, 'test/code-style.test.ts'] },
  { name: 'documents', command: [...test, 'test/documents.test.ts'] },
  { name: 'language', command: ['scripts/language.ts'] },
  { name: 'format', command: ['node_modules/oxfmt/bin/oxfmt', '--check'] },
]

await ensureApiTypes()
process.exitCode = (await runAll([...checks, createLockfileCheck()])) ? 0 : 1

/** Creates a check of the lockfile: npm rejects an incomplete or outdated one only in a clean install. */
function createLockfileCheck(): Check {
  const { npm_node_execpath: npmNode, npm_execpath: npmCli } = process.env
  const npm = npmNode && npmCli?.endsWith('npm-cli.js') ? [npmNode, npmCli] : ['npm']
  return { name: 'lockfile', command: [...npm, 'ci', '--dry-run', '--include=dev'] }
}

/** Runs the checks concurrently, one for each processor; returns whether all pass. */
async function runAll(all: readonly Check[]): Promise<boolean> {
  const waiting = all.values()
  let allHold = true
  const runWaiting = async (): Promise<void> => {
    for (const check of waiting) if (!(await runCheck(check))) allHold = false
  }
  await Promise.all(Array.from({ length: availableParallelism() }, runWaiting))
  return allHold
}

/** Runs one check and prints its line, and its output if it fails. */
async function runCheck({ name, command }: Check): Promise<boolean> {
  const startedAt = performance.now()
  const { code, output } = await run(command)
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  console.log(`${code === 0 ? '✔' : '✖'} ${name} (${seconds} s)`)
  if (code !== 0) console.log(`${output.trim()}\n`)
  return code === 0
}

/** Runs a program, or one of our scripts or a package's script with the current Node. */
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
