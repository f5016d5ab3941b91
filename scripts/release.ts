/**
 * `npm run release -- <version>`: makes a release up to its commit, and prints the commands that publish it. It can be
 * repeated after a failure: every step checks what exists.
 *
 * `--checked` skips `.ci/run`, if it has just passed; `--dry-run` prints the steps and changes nothing.
 */

import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createHash } from 'node:crypto'
import semver from 'semver'
import { cutChangelog, findSection } from './changelog.ts'
import { pack, readBundledPackages } from './pack.ts'
import { describePublishing } from './publishing.ts'
import { writeBillOfMaterials } from './third-party.ts'

/** One step of a release. */
interface Step {
  name: string
  run(): Promise<void> | void
}

const root = resolve(import.meta.dirname, '..')
const target = join(root, 'dist')
const manifests = ['package.json', 'package-lock.json']
const changelog = 'CHANGELOG.md'
const chart = ['deploy/chart/Chart.yaml']

const { values, positionals } = parseArgs({
  options: { checked: { type: 'boolean' }, 'dry-run': { type: 'boolean' } },
  allowPositionals: true,
})
const version = positionals[0] ?? ''
const changed = [...manifests, changelog, ...chart, `test/releases/${version}/`]

const steps: readonly Step[] = [
  { name: 'check that only this release has changed files', run: assertClean },
  { name: '.ci/run', run: () => (values.checked === true ? undefined : execute('.ci/run')) },
  { name: `cut ${changelog}`, run: cut },
  {
    name: `set the version in ${manifests.join(' and ')}`,
    run: setVersions,
  },
  { name: `write test/releases/${version}`, run: writeReleaseFixture },
  { name: 'pack twice, and compare', run: packTwice },
  { name: 'write the bill of materials, the notes and the checksums', run: describePackage },
  { name: `commit "${newSubject()}"`, run: commit },
]

try {
  assertVersion()
  for (const [index, { name, run }] of steps.entries()) {
    console.log(`${index + 1}/${steps.length} ${name}`)
    if (values['dry-run'] !== true) await run()
  }
  console.log(`\n${describePublishing(version)}`)
} catch (error) {
  console.error(`release: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}

function assertVersion(): void {
  if (semver.valid(version) !== version || positionals.length !== 1) {
    throw new Error('usage: npm run release -- <version, such as 0.2.0> [--checked] [--dry-run]')
  }
  const { version: current } = readJson('package.json') as { version: string }
  if (semver.gte(version, current)) return
  throw new Error(`${version} is older than ${current}, the version in package.json`)
}

function assertClean(): void {
  const dirty = git('status', '--porcelain', '--untracked-files=all')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.slice(3))
  const others = dirty.filter((path) => !changed.some((own) => path.startsWith(own)))
  if (others.length === 0) return
  throw new Error(`commit or remove these first: ${others.join(', ')}`)
}

function cut(): void {
  const path = join(root, changelog)
  const today = new Date().toISOString().slice(0, 10)
  writeFileSync(path, cutChangelog(readFileSync(path, 'utf8'), version, today))
}

function setVersions(): void {
  for (const path of manifests) setVersion(path)
  // The chart follows.
  execute(process.execPath, 'scripts/deployment.ts')
}

function setVersion(path: string): void {
  const text = readFileSync(join(root, path), 'utf8')
  const manifest = JSON.parse(text) as {
    version: string
    packages?: Record<string, { version: string }>
  }
  manifest.version = version
  const own = manifest.packages?.['']
  if (own !== undefined) own.version = version
  writeFileSync(join(root, path), `${JSON.stringify(manifest, null, 2)}\n`)
}

function writeReleaseFixture(): void {
  // The fixture has new ids each time: a repetition after the commit keeps it.
  if (git('log', '-1', '--format=%s') === newSubject()) return
  execute(process.execPath, 'scripts/fixture.ts', version)
}

async function packTwice(): Promise<void> {
  const other = await mkdtemp(join(tmpdir(), 'portbook-release-'))
  try {
    // The second time, everything is built again.
    const first = await pack({ target: other })
    for (const built of ['web/dist', '.cache/server']) {
      await rm(join(root, built), { recursive: true, force: true })
    }
    const second = await pack({ target })
    if (first.sha256 !== second.sha256) {
      throw new Error(`packing twice gave different files: ${first.sha256} and ${second.sha256}`)
    }
  } finally {
    await rm(other, { recursive: true, force: true })
  }
}

async function describePackage(): Promise<void> {
  const packed = join(target, `portbook-${version}.tgz`)
  const materials = join(target, `portbook-${version}.cdx.json`)
  writeFileSync(materials, writeBillOfMaterials(await readBundledPackages(), version))
  const sums = await Promise.all([packed, materials].map(hash))
  const notes = findSection(readFileSync(join(root, changelog), 'utf8'), version) ?? ''
  writeFileSync(join(target, 'SHA256SUMS'), `${sums.join('\n')}\n`)
  const checksums = `## Checksums\n\n\`\`\`text\n${sums.join('\n')}\n\`\`\`\n`
  writeFileSync(join(target, `portbook-${version}.md`), `${notes}\n\n${checksums}`)
  for (const sum of sums) console.log(`    ${sum}`)
}

async function hash(path: string): Promise<string> {
  const digest = createHash('sha256')
    .update(await readFile(path))
    .digest('hex')
  return `${digest}  ${basename(path)}`
}

function newSubject(): string {
  return `release: cut version ${version}`
}

function commit(): void {
  git('add', ...manifests, changelog, ...chart, `test/releases/${version}`)
  // A repetition after the commit has nothing to add.
  if (git('status', '--porcelain') === '') return
  const sums = readFileSync(join(target, 'SHA256SUMS'), 'utf8').trim()
  git('commit', '--quiet', '-m', newSubject(), '-m', sums)
}

function git(...parameters: string[]): string {
  const { status, stdout, stderr } = spawnSync('git', parameters, { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new Error(`git ${parameters[0]} failed: ${stderr.trim()}`)
  return stdout.trimEnd()
}

function execute(program: string, ...parameters: string[]): void {
  const { status } = spawnSync(program, parameters, { cwd: root, stdio: 'inherit' })
  if (status !== 0) throw new Error(`${relative(root, program) || program} failed`)
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(join(root, path), 'utf8'))
}
