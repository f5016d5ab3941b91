import { readJson } from './answers.ts'
import { expectOk, type World } from './world.ts'

/** Publishes a failed test result of a contract. Returns the id of its incident. */
export async function addIncident(world: World, contractId: string, server = ''): Promise<string> {
  const body = { dataContractId: contractId, server, result: 'failed' }
  await expectOk(world.as('O', 'POST', '/api/test-results', { body }))
  const list = world.as('O', 'GET', `/api/incidents?dataContractId=${contractId}`)
  const [incident] = await readJson<{ id: string }[]>(list)
  return incident?.id ?? ''
}
