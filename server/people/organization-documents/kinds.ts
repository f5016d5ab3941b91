import { CUSTOMIZATION } from './kinds/customization.ts'
import { EMAIL_TEMPLATES } from './kinds/email-templates.ts'
import { FEATURES } from './kinds/features.ts'
import { SCIM_MAPPING } from './kinds/scim-mapping.ts'
import { TEAM_ROLES } from './kinds/team-roles.ts'
import type { OrganizationDocumentKind } from './organization-document.ts'

/** Every kind of organization document. */
export const ORGANIZATION_DOCUMENTS: readonly OrganizationDocumentKind[] = [
  FEATURES,
  TEAM_ROLES,
  CUSTOMIZATION,
  SCIM_MAPPING,
  EMAIL_TEMPLATES,
]
