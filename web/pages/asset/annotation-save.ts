import { client, type Schemas } from '../../api/client.ts'
import { sendText } from '../../api/document.ts'
import { Problem } from '../../api/problem.ts'
import { useAction, type Refresh } from '../../shell/action.ts'
import { toAnnotationBody, isOvertaken, type AnnotationDraft } from './annotation-draft.ts'

/**
 * Saves what people add to an asset. The ETag of an asset changes with every run, but only the edits of
 * other people must not be lost: a draft is saved over a newer version as long as the annotation is the
 * one that it started from.
 */
export function useAnnotationSave(page: Schemas['AssetPage'], onSaved: () => void) {
  const { id } = page
  const put = async (draft: AnnotationDraft, ifMatch: string): Promise<void> => {
    const text = JSON.stringify(toAnnotationBody(draft))
    const change = { text, mediaType: 'application/json', ifMatch } as const
    await sendText('PUT', `/ui/assets/${encodeURIComponent(id)}/annotation`, change)
  }
  return useAction({
    async request(draft: AnnotationDraft) {
      try {
        await put(draft, page.etag)
      } catch (error) {
        if (!(error instanceof Problem) || error.status !== 412) throw error
        const { data } = await client.GET('/ui/assets/{id}', { params: { path: { id } } })
        if (data === undefined || isOvertaken(draft, data.annotation)) throw error
        await put(draft, data.etag)
      }
    },
    onSuccess: onSaved,
    notice: 'Asset saved',
    refresh: ASSET_DATA,
    // The other person's changes are shown.
    refreshAfterError: ASSET_DATA,
  })
}

const ASSET_DATA: Refresh = [{ predicate: ({ queryKey }) => isAboutAssets(queryKey) }]

function isAboutAssets([first, second]: readonly unknown[]): boolean {
  const path = first === 'get' ? second : first
  return typeof path === 'string' && /^(?:asset-|\/ui\/assets|\/api\/assets)/.test(path)
}
