/**
 * A Java client that is generated from the OpenAPI document, and that reads the responses of every operation into its
 * classes: unknown members, other types and unknown values of enums are errors.
 */

import assert from 'node:assert/strict'
import { readdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { after, before, test } from 'node:test'
import { api } from '../../server/api.ts'
import { openApiDocument } from '../../server/requests/http/openapi.ts'
import { getInstallation, getPeerDirectory } from '../peers/recipes.ts'
import { recordActions, recordReads, type RecordedAnswer } from '../recorded-answers.ts'
import { onStore } from '../stores.ts'
import {
  makeFolder,
  newLineProcess,
  onClient,
  readEnd,
  spawnClient,
  type LineProcess,
} from './client.ts'

const PEER = 'openapi-generator'

const GENERATOR_OPTIONS = [
  '--library=apache-httpclient',
  '--global-property=models,apis,supportingFiles,modelTests=false,apiTests=false,modelDocs=false,apiDocs=false',
  '--additional-properties=openApiNullable=false,useJakartaEe=true,sourceFolder=src,disallowAdditionalPropertiesIfNotPresent=false',
]

/** Members that the generator has no class for, and values that only the tests have, by the end of the error. */
const UNREAD: readonly (readonly [error: RegExp, reason: string])[] = [
  [/Diff\["to"\]\)$/, 'a version or `draft`: the generator has no choices of types'],
  [/\["(?:kind|intValue|startTimeUnixNano|endTimeUnixNano)"\]\)$/, 'a text or a number, as above'],
  [/TestResult\["checks"\]\)$/, 'a list or an object, as above'],
  [/JsonSchema\["type"\]\)$/, 'a text or a list, as above'],
  [/ExportDataContract200Response/, 'a contract or a schema, as above'],
  [/\["server"\]->[\w.]+\["additionalProperties"\]\)$/, 'a member with the name of all others'],
  [/Unrecognized field "marks"/, 'a member that only documents of the tests have'],
  [/Unexpected value 'scripted'/, 'the scripted source of the tests'],
  [/Unexpected value '1'[^]*LineageEvent\["eventType"\]/, 'an event that breaks its standard'],
]

onClient(PEER, () => {
  let reader: LineProcess
  before(async () => {
    reader = await startReader()
  })
  after(() => reader.close())

  const read = async (answers: Iterable<RecordedAnswer>): Promise<Record<string, string>> => {
    const failures: Record<string, string> = {}
    for (const { method, route, text } of answers) {
      const operation = getOperation(method, route)
      const { error } = (await reader.ask({ operation, text })) as { error?: string }
      if (error !== undefined && !isUnread(error)) failures[operation] = error
    }
    return failures
  }

  for (const [what, record] of Object.entries({ action: recordActions, address: recordReads })) {
    onStore((store) => {
      test(`reads the responses of every ${what}`, async () => {
        const answers = new Map<string, RecordedAnswer>()
        await record(store(), (answer) => {
          const { method, route, status, mediaType, text } = answer
          const isRead = status < 300 && mediaType !== 'application/jsonl'
          if (isRead) answers.set(`${method} ${route} ${text}`, answer)
        })
        assert.ok(answers.size > 100)
        assert.deepEqual(await read(answers.values()), {})
      })
    })
  }
})

function isUnread(error: string): boolean {
  return UNREAD.some(([pattern]) => pattern.test(error))
}

function getOperation(method: string, path: string): string {
  return api.find((one) => one.method === method && one.path === path)?.described.operation ?? ''
}

/** Generates a client, compiles it, and starts a program that reads responses with it. */
async function startReader(): Promise<LineProcess> {
  const folder = makeFolder()
  const peer = getPeerDirectory(PEER)
  const description = join(folder, 'openapi.json')
  writeFileSync(description, JSON.stringify(openApiDocument(api, '0')))
  const generator = ['-jar', join(peer, 'generator.jar'), 'generate', '-g', 'java']
  const files = ['-i', description, '-o', folder]
  await expectEnd('java', [...generator, ...files, ...GENERATOR_OPTIONS])
  const sources = readdirSync(join(folder, 'src'), { recursive: true, encoding: 'utf8' })
  const paths = sources
    .filter((file) => file.endsWith('.java'))
    .map((file) => join(folder, 'src', file))
  const program = join(getInstallation(PEER).folder, 'read-answers.java')
  const list = join(folder, 'sources.txt')
  writeFileSync(list, [...paths, program].map((file) => `"${file}"`).join('\n'))
  const classes = join(folder, 'classes')
  const libraries = join(peer, 'lib', '*')
  await expectEnd('javac', ['-nowarn', '-proc:none', '-cp', libraries, '-d', classes, `@${list}`])
  const groups = readdirSync(join(folder, 'src/org/openapitools/client/api'))
  const names = groups.map((file) => file.replace('.java', ''))
  const path = [classes, libraries].join(delimiter)
  return newLineProcess(spawnClient('java', ['-cp', path, 'ReadAnswers', ...names], {}))
}

async function expectEnd(program: string, args: readonly string[]): Promise<void> {
  const { exitCode, stdout, stderr } = await readEnd(spawnClient(program, args, {}))
  assert.equal(exitCode, 0, `${stdout.slice(-4000)}\n${stderr.slice(0, 4000)}`)
}
