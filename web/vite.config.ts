import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

// Where a server listens during development; `npm run dev` serves the pages from their sources.
const SERVER = 'http://localhost:8080'

// What most pages are made of, without what only long lists, trees, forms and some pages need.
const PARTS =
  /[\\/]web[\\/](api(?![\\/](people-|permission-groups|provider-))|shell(?![\\/](empty-list|enter|first-steps|link-page|missing-|next-step|no-organization|outside-|provider-|right-|sign-in-again-))|parts(?![\\/](choice|classification|combobox|context-|describe-|floating-|form-fields|outside-|password|platform-mark|run-words|schema-|search-field|shown-rows|steps-|tag-|tree-|use-combobox|value-|variable-|virtual-)))[\\/]|[\\/]lucide-react[\\/]/

/** The build of the pages: all files local, nothing inlined, names that change with the content. */
const config = defineConfig({
  root: import.meta.dirname,
  plugins: [react({ jsxImportSource: '#jsx' }), tailwind()],
  // The policy of the pages forbids WebAssembly. `long`, which protobufjs uses, would try it all the same
  // and fall back; browsers report the attempt as an error.
  define: { WebAssembly: 'undefined' },
  // The worker loads what it needs in parts, as the pages do.
  worker: { format: 'es' },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // `/assets` is a page.
    assetsDir: 'static',
    assetsInlineLimit: 0,
    target: 'es2023',
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1000,
    // A page would ask for thirty small files otherwise, six at a time.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'start', tags: ['$initial'], priority: 3 },
            { name: 'parts', test: PARTS, minShareCount: 2, priority: 2 },
          ],
        },
      },
    },
  },
  server: {
    // The calls, and not the sources that lie in `web/api`.
    proxy: {
      '^/(api|ui)/(?!.*\\.tsx?(\\?|$))': SERVER,
      '/openapi.json': SERVER,
      '/guides': SERVER,
    },
  },
})

export default config
