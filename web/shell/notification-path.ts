import { RECORDS } from '../../formats/record/kinds.ts'
import type { Schemas } from '../api/client.ts'
import { getRecordPaths, paths } from '../paths.ts'

type Notification = Schemas['Notification']

/** Returns the page that a notification leads to; undefined if there is none. */
export function getNotificationPath(
  notification: Pick<Notification, 'kind' | 'target'>,
): string | undefined {
  const { target } = notification
  if (target === null) return undefined
  const { kind, id, runId } = target
  const compared = findComparedVersions(notification)
  switch (kind) {
    case 'data-product':
      return compared ? paths.dataProductVersions(id, compared) : paths.dataProduct(id)
    case 'data-contract':
      return compared ? paths.dataContractVersions(id, compared) : paths.dataContract(id)
    case 'team':
      return paths.team(id)
    case 'test-result':
      return paths.testResult(id)
    case 'search':
      return `${paths.search()}?${id}`
    case 'run':
      return runId === null ? paths.integration(id) : paths.run(id, runId)
    case 'integration':
      return paths.integration(id)
    case 'api-keys':
      return paths.newApiKey({ like: id })
    case 'record': {
      const record = RECORDS.find((one) => one.kind === target.subjectKind)
      return record === undefined ? undefined : getRecordPaths(record).page(id)
    }
    case 'access':
      return paths.access(id)
    case 'webhook':
      return paths.webhook(id)
  }
}

// A change is shown as the comparison with the version before it.
function findComparedVersions({
  kind,
  target,
}: Pick<Notification, 'kind' | 'target'>): { from: number; to: number } | undefined {
  const to = target?.version ?? 1
  return kind === 'breaking_change' && to > 1 ? { from: to - 1, to } : undefined
}
