/**
 * Builds the image and starts containers of it. `buildah` builds; containers are started in namespaces of their own, with
 * what a container runtime enforces: a read-only root file system with /data and /tmp on top, no capabilities, no new
 * privileges, and a process table in which the server is the first process.
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { runPeer } from './peers/peers.ts'
import { getPeerDirectory } from './peers/recipes.ts'

/** The options of a container. */
interface ContainerOptions {
  /** The folder that is mounted at `/data`. */
  data: string
  environment?: Readonly<Record<string, string>>
  /** `<user>:<group>`, by default that of the image. */
  user?: string
  /** By default the entry point of the image. */
  command?: readonly string[]
}

/** A started container. */
interface Container {
  /** The process id of its first process. */
  pid: number
  /** Waits for a line of standard output. Throws with the output if the container ends before. */
  waitForLine(pattern: RegExp): Promise<string>
  /** The exit code, and the output. */
  ended: Promise<{ code: number | null; output: string }>
}

/** A built image. */
export interface Image {
  config: z.infer<typeof imageConfig>
  start(options: ContainerOptions): Promise<Container>
  /** Removes the image and its files. */
  remove(): Promise<void>
}

const imageConfig = z.looseObject({
  User: z.string(),
  Env: z.array(z.string()),
  Entrypoint: z.array(z.string()),
  WorkingDir: z.string(),
  StopSignal: z.string(),
  Volumes: z.record(z.string(), z.unknown()),
  Labels: z.record(z.string(), z.string()),
  Healthcheck: z.looseObject({ Test: z.array(z.string()) }),
})

const ROOT = resolve(import.meta.dirname, '..')
const NAME = 'portbook'
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

const START = `
set -eu
root=$1 data=$2 user=$3
shift 3
mount --bind "$root" "$root"
mount --rbind /dev "$root/dev"
mount -t proc proc "$root/proc"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
mount --bind "$data" "$root/data"
mount -o remount,ro,bind "$root"
exec setpriv --no-new-privs --inh-caps=-all --bounding-set=-all,+sys_chroot,+setuid,+setgid \\
  chroot --userspec="$user" --groups= "$root" "$@"
`

/** Builds the image from a packed file in a folder. `scratch` is a folder for its files. */
export async function buildImage(context: string, scratch: string): Promise<Image> {
  const folder = mkdtempSync(join(scratch, 'image-'))
  const base = getPeerDirectory('image-base')
  const driver = readFileSync(join(base, 'driver'), 'utf8').trim()
  const storage = toOptions({
    '--root': join(folder, 'store'),
    '--runroot': join(folder, 'run'),
    '--storage-driver': driver,
    '--storage-opt': `${driver}.imagestore=${join(base, 'store')}`,
  })
  const buildah = (...args: string[]): Promise<string> =>
    runPeer('buildah', [...storage, ...args], '')
  const options = toOptions({
    '--isolation': 'chroot',
    '--format': 'docker',
    '--build-arg': 'VERSION=0.0.1',
    '--tag': NAME,
    '--file': join(ROOT, 'deploy/Dockerfile'),
  })
  await buildah('build', '--pull-never', ...options, ...(await shareNpm(folder)), context)
  const inspected = z
    .looseObject({ Docker: z.looseObject({ config: imageConfig }) })
    .parse(JSON.parse(await buildah('inspect', '--type', 'image', NAME)))
  await buildah('from', '--name', 'container', '--pull-never', NAME)
  const root = (await buildah('mount', 'container')).trim()
  const { config } = inspected.Docker
  return {
    config,
    start: (options) => startContainer(root, config, options),
    async remove() {
      await buildah('umount', 'container')
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

function toOptions(options: Readonly<Record<string, string>>): string[] {
  return Object.entries(options).flat()
}

/** Lets the build load packages in the way of this machine: its cache, registry and certificate authorities. */
async function shareNpm(folder: string): Promise<string[]> {
  const npm = z
    .object({ cache: z.string(), registry: z.string(), cafile: z.string().nullish() })
    .parse(JSON.parse(await runPeer('npm', ['config', 'list', '--json'], '')))
  const { cache, registry, cafile } = npm
  const file = join(folder, 'npmrc')
  const authorities = cafile ? [`cafile=${cafile}`] : []
  writeFileSync(
    file,
    ['prefer-offline=true', `registry=${registry}`, ...authorities, ''].join('\n'),
  )
  const volumes = [
    `${file}:/usr/local/etc/npmrc:ro`,
    ...(existsSync(cache) ? [`${cache}:/root/.npm`] : []),
    ...(cafile ? [`${cafile}:${cafile}:ro`] : []),
  ]
  return volumes.flatMap((volume) => ['--volume', volume])
}

async function startContainer(
  root: string,
  config: Image['config'],
  { data, environment = {}, user = config.User, command = config.Entrypoint }: ContainerOptions,
): Promise<Container> {
  const unshare = ['--mount', '--pid', '--fork', '--kill-child', '--', 'sh', '-c', START, 'sh']
  const own = config.Env.map((each) => each.split(/=(.*)/s, 2) as [string, string])
  const child = spawn('unshare', [...unshare, root, data, user, ...command], {
    env: { PATH, ...Object.fromEntries(own), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stderr.on('data', (chunk) => (output += String(chunk)))
  const lines = createInterface(child.stdout)
  lines.on('line', (line) => (output += `${line}\n`))
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, output }))
  await once(child, 'spawn')
  return {
    get pid() {
      const children = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')
      return Number(children.trim())
    },
    ended,
    async waitForLine(pattern) {
      const found = new Promise<string>((done) => {
        for (const line of output.split('\n')) if (pattern.test(line)) done(line)
        lines.on('line', (line) => pattern.test(line) && done(line))
      })
      const line = await Promise.race([found, ended.then(() => undefined)])
      if (line === undefined) throw new Error(`the container ended: ${output}`)
      return line
    },
  }
}
