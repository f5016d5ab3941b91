import type { PermissionRow, RequestMaker } from './requests.ts'

/** Creates a row of the permission matrix. */
export function row(
  method: string,
  path: string,
  action: string,
  statuses: string,
  request: RequestMaker,
): PermissionRow {
  return { route: `${method} ${path}`, action, statuses, request }
}
