/** The peer `deployment`: Helm and Compose as a program for tests, and the schemas of Kubernetes. */

import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { runPeer } from './peers.ts'
import { getPeerDirectory } from './recipes.ts'

/** The values of a chart, as YAML would give them. */
export type ChartValues = Readonly<Record<string, unknown>>

/** A manifest that a chart renders. */
export const manifest = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({
    name: z.string(),
    labels: z.record(z.string(), z.string()).default({}),
  }),
})

/** A manifest that a chart renders. */
export type Manifest = z.infer<typeof manifest>

/** The output of Helm or Compose for a job, or the reason of its rejection. */
interface Result<T> {
  output?: T
  error?: string
}

interface Job {
  kind: 'lint' | 'template' | 'compose'
  path: string
  values?: ChartValues
  isUpgrade?: boolean
  envFile?: string
  profiles?: readonly string[]
}

/** Runs `helm lint` with each of the values; returns the messages. */
export async function lintChart(
  path: string,
  cases: readonly ChartValues[],
): Promise<Result<string[]>[]> {
  return await run<string[]>(cases.map((values) => ({ kind: 'lint', path, values })))
}

/** Runs `helm template` with each of the values; returns the text of each template by its path. */
export async function renderChart(
  path: string,
  cases: readonly ChartValues[],
): Promise<Result<Record<string, string>>[]> {
  return await run(cases.map((values) => ({ kind: 'template', path, values })))
}

/** Runs `docker compose config` with a file of variables and profiles; returns the project. */
export async function loadCompose(
  path: string,
  envFile: string,
  profiles: readonly string[],
): Promise<Result<unknown>> {
  const [result] = await run([{ kind: 'compose', path, envFile, profiles }])
  return result ?? {}
}

/** Parses the manifests of a chart. Throws if one is not valid YAML. */
export function readManifests(templates: Readonly<Record<string, string>>): Manifest[] {
  return Object.entries(templates)
    .filter(([path]) => path.endsWith('.yaml'))
    .flatMap(([path, text]) => parseAllDocuments(text).map((document) => ({ path, document })))
    .filter(({ document }) => document.contents !== null)
    .map(({ path, document }) => {
      const [problem] = document.errors
      if (problem !== undefined) throw new Error(`${path}: ${problem.message}`)
      return manifest.parse(document.toJS())
    })
}

/** Returns for each manifest the problem that the schemas of a version of Kubernetes find; null = none. */
export async function validateManifests(
  version: string,
  manifests: readonly Manifest[],
): Promise<(string | null)[]> {
  const python = join(getPeerDirectory('deployment'), 'python', 'bin', 'python')
  const input = JSON.stringify({ version, manifests })
  const output = await runPeer(python, [join(import.meta.dirname, 'kubernetes.py')], input)
  return z.array(z.string().nullable()).parse(JSON.parse(output))
}

async function run<T>(jobs: readonly Job[]): Promise<Result<T>[]> {
  const program = join(getPeerDirectory('deployment'), 'deployment')
  return JSON.parse(await runPeer(program, [], JSON.stringify(jobs))) as Result<T>[]
}
