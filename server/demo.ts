import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readText, type MediaType, type SourceText } from '../formats/text.ts'
import { fieldOf, textOf } from '../formats/value.ts'
import type { Caller } from './access/caller.ts'
import { CONTRACTS } from './data-contracts/service.ts'
import { PRODUCTS } from './data-products/service.ts'
import type { DocumentType, ReadDocument } from './documents/document.ts'
import { putDocument } from './documents/service.ts'
import { Refusal } from './errors.ts'
import type { Services } from './http/endpoint.ts'
import { writeSecretFile } from './kit/secret-file.ts'
import { newToken } from './kit/token.ts'
import { isEmpty, setUp } from './organizations/service.ts'
import { putTeam } from './teams/service.ts'

const MESH = fileURLToPath(new URL('../examples/mesh', import.meta.url))
const KEY_FILE = 'demo-api-key'

/**
 * Fills an empty store with the example mesh, and writes the secret of an organization key beside
 * the data. A store that holds an organization is left alone.
 */
export async function loadDemo(services: Services, dataDirectory: string): Promise<void> {
  const { db, clock, log } = services
  if (!(await isEmpty(db))) {
    log.warn('the demo mesh is loaded into an empty store only')
    return
  }
  const keyFile = join(dataDirectory, KEY_FILE)
  const owner = {
    organization: 'Velmora Rail Cargo',
    email: 'owner@velmora.example',
    password: newToken('demo_'),
  }
  const done = await setUp(db, clock, owner, (secret) => writeSecretFile(keyFile, secret))
  if (done === undefined) return
  const caller = systemCaller(done.organizationId, owner.organization)
  const teams = sourcesIn('teams')
  for (const team of parentsFirst(teams)) {
    await putTeam(db, clock, caller, { ...PLAIN, ...team })
  }
  for (const contract of sourcesIn('data-contracts').toSorted(deprecatedLast)) {
    await register(services, caller, CONTRACTS, contract)
  }
  for (const product of sourcesIn('data-products')) {
    await register(services, caller, PRODUCTS, product)
  }
  log.info({ keyFile }, 'the demo mesh is loaded; the file holds an organization key')
}

interface Named {
  id: string
  source: SourceText
}

const PLAIN = {
  conditions: { ifMatch: undefined, ifNoneMatch: undefined },
  strict: false,
  dryRun: false,
  requestId: 'demo',
}

async function register<Read extends ReadDocument>(
  services: Services,
  caller: Caller,
  type: DocumentType<Read>,
  { id, source }: Named,
): Promise<void> {
  try {
    await putDocument(services, caller, type, { ...PLAIN, id, body: source })
  } catch (error) {
    // After the end of DPS or DCS the mesh still loads, without the documents that are written in it.
    if (!(error instanceof Refusal) || error.code !== 'format_ended') throw error
    services.log.warn({ [type.kind]: id }, 'left out of the demo: its format has ended')
  }
}

// The same order as in examples/register.sh, so that both leave the same feed of events.
function deprecatedLast(a: Named, b: Named): number {
  return Number(isDcs(a)) - Number(isDcs(b))
}

function isDcs({ source }: Named): boolean {
  return fieldOf(source.value, 'dataContractSpecification') !== undefined
}

function systemCaller(organizationId: string, organizationName: string): Caller {
  return {
    organizationId,
    organizationName,
    principal: 'system',
    keyId: undefined,
    keyName: '',
    scope: 'organization',
    team: undefined,
    readOnly: false,
    organizationOwner: true,
    roles: new Map(),
  }
}

function sourcesIn(folder: string): Named[] {
  const directory = join(MESH, folder)
  return readdirSync(directory)
    .toSorted()
    .map((file) => {
      const mediaType: MediaType = file.endsWith('.yaml') ? 'application/yaml' : 'application/json'
      const source = readText(readFileSync(join(directory, file), 'utf8'), mediaType)
      if (!source.ok) throw new Error(`the example ${file} is not readable`)
      return { id: file.replace(/\.\w+$/, ''), source }
    })
}

function parentsFirst(teams: readonly Named[]): Named[] {
  const sorted: Named[] = []
  const placed = new Set<string>()
  while (sorted.length < teams.length) {
    const ready = teams.filter(({ id, source }) => {
      const parent = textOf(fieldOf(source.value, 'parent'))
      return !placed.has(id) && (parent === undefined || placed.has(parent))
    })
    if (ready.length === 0) throw new Error('the example teams do not form a tree')
    for (const team of ready) placed.add(team.id)
    sorted.push(...ready)
  }
  return sorted
}
