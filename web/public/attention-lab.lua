-- A filter for Quarto and pandoc: a paragraph that is a link of the class `attention-lab` becomes the lab itself in HTML,
-- and stays the link that it is in every other format.
--
--   [The kernel trick](https://your.site/attention-labs/labs/kernel-trick/index.html?v=1&n=4){.attention-lab height=800}
--
-- Quarto: `filters: [attention-lab.lua]`; pandoc: `--lua-filter attention-lab.lua`. Other attributes of the link become
-- attributes of the element (docs/embedding.md).

local scripts = {}

local function escaped(text)
  return (text:gsub('&', '&amp;'):gsub('<', '&lt;'):gsub('>', '&gt;'):gsub('"', '&quot;'))
end

-- The site's folder, and what the address asks for; nil where it is none of a lab or an exercise.
local function asked(address)
  local rest, step = address:match('^([^#]*)#?(.*)$')
  local page, query = rest:match('^([^?]*)%??(.*)$')
  local base, lab = page:match('^(https?://.*/)labs/([%w_-]+)/[^/]*$')
  base = base or page:match('^(https?://.*/)pages/exercises/[^/]*$')
  if not base then return nil end
  local exercise
  local kept = {}
  for pair in query:gmatch('[^&]+') do
    local id = not lab and pair:match('^id=([%w_-]+)$')
    if id then exercise = id
    elseif not pair:match('^v=') then table.insert(kept, pair) end
  end
  if not lab and not exercise then return nil end
  local root, lang = base:match('^(.*/)(%l%l)/$')
  return root or base, {
    { 'lab', lab }, { 'exercise', exercise }, { 'step', lab and step }, { 'lang', lang or 'en' },
    { 'query', table.concat(kept, '&') },
  }
end

local function lab(block)
  local link = block.content[1]
  if not FORMAT:match('html') and not FORMAT:match('revealjs') or #block.content ~= 1 then return nil end
  if link.t ~= 'Link' or not link.classes:includes('attention-lab') then return nil end
  local base, pairs_of = asked(link.target)
  if not base then return nil end
  local title = pandoc.utils.stringify(link.content)
  table.insert(pairs_of, { 'title', title })
  for name, value in pairs(link.attributes) do
    if name ~= 'target' and name ~= 'rel' then table.insert(pairs_of, { name, value }) end
  end
  local said = {}
  for _, pair in ipairs(pairs_of) do
    if pair[2] and pair[2] ~= '' then table.insert(said, (' %s="%s"'):format(pair[1], escaped(pair[2]))) end
  end
  local script = ''
  if not scripts[base] then
    script = ('<script type="module" src="%sattention-lab.js"></script>\n'):format(escaped(base))
    scripts[base] = true
  end
  return pandoc.RawBlock('html', ('%s<attention-lab%s>\n  <p><a href="%s">%s</a></p>\n</attention-lab>'):format(
    script, table.concat(said), escaped(link.target), escaped(title)))
end

return { { Para = lab, Plain = lab } }
