import { clip } from '../../../formats/text/value.ts'
import { DECIDING_MEMBERS } from '../../documents/deciding-members.ts'
import type { DecisionRule } from '../../documents/document-type.ts'
import { requirePermission } from '../../requests/http/missing-permission.ts'

/**
 * The rule for the decisions of a data product: its ports may approve requests of access, and its owner decides on the
 * others. Only those who may decide themselves change either.
 */
export const PRODUCT_DECISIONS: DecisionRule = {
  require(caller, { newDecidingParts, isHandedOver, ownerId, formerOwnerId, isOwnerKnown }) {
    if (isHandedOver) {
      const [permission] = DECIDING_MEMBERS.owner.needs
      requirePermission(caller, permission, formerOwnerId)
    }
    const [port] = newDecidingParts
    // An unknown team is reported later, as a problem of the document.
    if (port === undefined || !isOwnerKnown) return
    const { needs, decides } = DECIDING_MEMBERS.autoApprove
    const [permission] = needs
    const detail = `The output port "${clip(port)}" with autoApprove ${decides}, which needs ${permission} on team ${clip(ownerId ?? '')}. Leave autoApprove out, or ask a person who has it.`
    requirePermission(caller, permission, ownerId, detail)
  },
  // The person who introduced a port that approves does not profit from it.
  buildFacts: ({ userId }, parts) => ({ decisions: { parts, userId: userId ?? null } }),
}
