/**
 * The files of `deploy/` that follow from others: README describes each setting, the schema of the chart each value, and
 * `package.json` has the version.
 */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { z } from 'zod'
import { listSettings, type ListedSetting } from './settings-table.ts'

/** The folder of the files. */
export const DEPLOY = 'deploy'

/** The schema of a value of the chart, as far as it is documented. */
interface ValueSchema {
  description?: string | undefined
  default?: unknown
  properties?: Record<string, ValueSchema> | undefined
  enum?: string[] | undefined
  $ref?: string | undefined
}

/** The texts from which the files follow. */
interface DeploymentSources {
  version: string
  /** README of the repository, with the table of settings. */
  readme: string
  compose: string
  /** The schema of the chart, as JSON. */
  schema: string
  chart: string
  chartReadme: string
}

const valueSchema: z.ZodType<ValueSchema> = z.lazy(() =>
  z.looseObject({
    description: z.string().optional(),
    properties: z.record(z.string(), valueSchema).optional(),
    enum: z.array(z.string()).optional(),
    $ref: z.string().optional(),
  }),
)

const COMMENT_WIDTH = 110
/** The line in the README of the chart after which it is generated. */
const MARKER = '<!-- Generated from values.schema.json by `npm run deployment`. -->\n'
/** The lines with the version of the chart, and of Portbook. */
const VERSION = /^((?:v|appV)ersion: ).*$/gm

/** Reads the sources in the repository. */
export function readDeploymentSources(root: string): DeploymentSources {
  const read = (...path: string[]): string => readFileSync(join(root, ...path), 'utf8')
  const { version } = z.object({ version: z.string() }).parse(JSON.parse(read('package.json')))
  return {
    version,
    readme: read('README.md'),
    compose: read(DEPLOY, 'compose.yaml'),
    schema: read(DEPLOY, 'chart/values.schema.json'),
    chart: read(DEPLOY, 'chart/Chart.yaml'),
    chartReadme: read(DEPLOY, 'chart/README.md'),
  }
}

/** Returns the generated files by their paths in `deploy/`. */
export function makeDeploymentFiles(sources: DeploymentSources): Map<string, string> {
  const settings = listSettings(sources.readme)
  const schema = describeSettings(valueSchema.parse(JSON.parse(sources.schema)), settings)
  const head = sources.chartReadme.slice(0, sources.chartReadme.indexOf(MARKER))
  return new Map([
    ['.env.example', writeEnvironment(settings, sources.compose)],
    ['chart/Chart.yaml', sources.chart.replaceAll(VERSION, `$1${sources.version}`)],
    ['chart/values.schema.json', `${JSON.stringify(schema, null, 2)}\n`],
    ['chart/values.yaml', writeValues(schema)],
    ['chart/README.md', `${head}${MARKER}\n${writeValueTable(schema)}`],
  ])
}

/** Describes the settings and secrets of the chart as README does. */
function describeSettings(schema: ValueSchema, settings: readonly ListedSetting[]): ValueSchema {
  const texts = new Map(settings.map((setting) => [setting.name, setting]))
  for (const group of ['settings', 'secrets']) {
    for (const [name, value] of Object.entries(schema.properties?.[group]?.properties ?? {})) {
      const setting = texts.get(name)
      if (setting === undefined) continue
      // A value of the chart has its own default.
      value.description = value.default === undefined ? describe(setting) : setting.meaning
    }
  }
  return schema
}

function describe({ defaultText, meaning }: ListedSetting): string {
  return defaultText === undefined ? meaning : `${meaning} Default: ${defaultText}.`
}

// --- .env.example ---

/** A variable of the Compose file that is required: its name and how to get a value. */
const REQUIRED = /\$\{([A-Z_]+):\?([^}]+)\}/g
/** A variable that Compose passes on if it is set: `      NAME:`, or with a default: `${NAME:-value}`. */
const PASSED = /^ +([A-Z_]+):$|\$\{([A-Z_]+):-[^}]*\}/gm
/** A variable that only the Compose file has: the comment above it, its name and its default. */
const OWN = /^ +# (.+)\n.*\$\{([A-Z_]+):-([^}]*)\}/gm

/** Writes the file that people copy to `.env`: every variable that Compose reads, with a comment. */
function writeEnvironment(settings: readonly ListedSetting[], compose: string): string {
  const passed = new Set([...compose.matchAll(PASSED)].map(([, name, other]) => name ?? other))
  const required = new Map([...compose.matchAll(REQUIRED)].map(([, name, how]) => [name, how]))
  const names = new Set(settings.map(({ name }) => name))
  const own = [...compose.matchAll(OWN)].filter(([, , name = '']) => !names.has(name))
  return [
    '# Copy this file to .env and fill in the secrets at the top.\n',
    ...[...required].map(([name, how]) => `${comment(`Required: ${how}.`)}${name}=\n`),
    ...settings
      .filter(({ name }) => passed.has(name))
      .map((setting) => `${comment(describe(setting))}#${setting.name}=\n`),
    ...own.map(([, text, name, value]) => `${comment(`${text}.`)}#${name}=${value}\n`),
  ].join('\n')
}

// --- The chart ---

/** Writes `values.yaml`: every value with its default, or as a comment if it has none. */
function writeValues(schema: ValueSchema): string {
  const head = comment('Generated from values.schema.json by `npm run deployment`.')
  return `${head}\n${writeGroup(schema, '').join('\n')}`
}

function writeGroup(group: ValueSchema, indent: string): string[] {
  return Object.entries(group.properties ?? {}).map(([name, value]) => {
    const head = comment(value.description ?? '', indent)
    if (value.properties !== undefined) {
      const values = writeGroup(value, `${indent}  `).join('')
      return `${head}${indent}${name}:${hasDefault(value) ? '' : ' {}'}\n${values}`
    }
    if (value.default === undefined) {
      const shape = value.$ref === undefined ? '' : ' {name: …, key: …}'
      return `${head}${indent}# ${name}:${shape}\n`
    }
    const options = { lineWidth: 0, singleQuote: true, defaultStringType: 'PLAIN' } as const
    const lines = stringify({ [name]: value.default }, options).trimEnd()
    return `${head}${lines.replaceAll(/^/gm, indent)}\n`
  })
}

function hasDefault({ default: value, properties = {} }: ValueSchema): boolean {
  return value !== undefined || Object.values(properties).some(hasDefault)
}

/** Wraps a text into lines of comments. */
function comment(text: string, indent = ''): string {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last === undefined || last.length + word.length >= COMMENT_WIDTH) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines.map((line) => `${indent}# ${line}\n`).join('')
}

function writeValueTable(schema: ValueSchema): string {
  const rows = listValues(schema, '').map(([name, value]) => {
    const initial = value.default === undefined ? '–' : `\`${JSON.stringify(value.default)}\``
    return `| \`${name}\` | ${initial} | ${value.description ?? ''}${describeChoices(value)} |\n`
  })
  return `| Value | Default | Meaning |\n|---|---|---|\n${rows.join('')}`
}

function describeChoices({ enum: choices, description = '' }: ValueSchema): string {
  const isDescribed = choices?.every((choice) => description.includes(`\`${choice}\``)) ?? true
  return isDescribed ? '' : ` One of ${choices?.map((choice) => `\`${choice}\``).join(', ')}.`
}

function listValues(schema: ValueSchema, prefix: string): [string, ValueSchema][] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, value]): [string, ValueSchema][] =>
    value.properties === undefined
      ? [[`${prefix}${name}`, value]]
      : listValues(value, `${prefix}${name}.`),
  )
}
