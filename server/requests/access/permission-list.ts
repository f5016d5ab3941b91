import { z } from '@hono/zod-openapi'
import {
  expandPermissions,
  PERMISSIONS_WITHOUT_EFFECT,
  RETIRED_PERMISSIONS,
} from '../../../formats/team/permission-names.ts'
import { PERMISSIONS } from './permission.ts'

const RETIRED_NAMES = RETIRED_PERMISSIONS.map(([name]) => name)
const NAMES = [...PERMISSIONS, ...RETIRED_NAMES]

/** The remarks about the names in a list of permissions, for the documentation. */
export const NAMES_REMARK = `No effect yet: ${PERMISSIONS_WITHOUT_EFFECT.join(', ')}. Retired names are accepted and answered as the permissions that replace them: ${RETIRED_NAMES.join(', ')}.`

/** A list of permissions from a client, each at most once; retired names become those that replace them. */
export const permissionList = z
  .array(z.enum(NAMES, `must be one of ${NAMES.join(', ')}`), 'must be a list of permissions')
  .superRefine((names, context) => {
    const repeated = names.findIndex((one, at) => names.indexOf(one) < at)
    if (repeated === -1) return
    context.addIssue({ code: 'custom', path: [repeated], message: 'repeats a permission' })
  })
  .transform(expandPermissions)
