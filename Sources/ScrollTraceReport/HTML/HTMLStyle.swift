/// The style of a page: light and dark, wide and narrow, and in print.
///
/// The colors are those of Okabe and Ito, which remain distinguishable with color blindness. Words
/// always carry the same information.
enum HTMLStyle {
  /// The hash of `text` by which the page's policy allows it.
  static let hash = "sha256-GZcbe00gzEUG4Z4Bx56bJ7Not/JrolehtcbD3FzoVCg="

  static let text = """
    :root{--page:#fff;--ink:#1b1f24;--faint:#57606a;--line:#d0d7de;--soft:#f3f5f7;\
    --good:#0072b2;--near:#e69f00;--late:#d55e00;--good-text:#00609a;--near-text:#875500;\
    --late-text:#a94700;--work:#8c959f}
    @media (prefers-color-scheme:dark){:root{--page:#14171b;--ink:#e6e9ed;--faint:#9aa4af;\
    --line:#39414b;--soft:#1e2329;--good:#56b4e9;--near:#e69f00;--late:#f0782a;\
    --good-text:#7cc5ef;--near-text:#f0b440;--late-text:#ff9a5c;--work:#6b7683}}
    *{box-sizing:border-box}
    html{scroll-behavior:smooth}
    body{margin:0 auto;padding:1.25rem;max-width:72rem;background:var(--page);color:var(--ink);\
    font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
    h1{margin:0;font-size:1.5rem;line-height:1.25}
    h2{margin:2rem 0 .5rem;font-size:1.2rem}
    h3{margin:1rem 0 .25rem;font-size:1rem}
    p{margin:.4rem 0;max-width:60rem}
    a{color:var(--good-text)}
    :focus-visible{outline:3px solid var(--near);outline-offset:2px}
    header{display:flex;flex-wrap:wrap;gap:0 1rem;align-items:baseline;justify-content:space-between}
    .tool{margin:0;color:var(--faint);font-size:.875rem}
    .faint,figcaption,caption{color:var(--faint)}
    .good{color:var(--good-text)}.near{color:var(--near-text)}.late{color:var(--late-text)}
    .hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
    .statement{display:flex;flex-wrap:wrap;gap:.25rem .75rem;align-items:baseline;font-size:1.1rem}
    .statement span{flex:1 1 12rem}
    .badge{padding:.1rem .6rem;border:2px solid;border-radius:.4rem;white-space:nowrap}
    nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1rem;margin:.75rem 0;padding:.5rem 0;\
    border-block:1px solid var(--line);list-style:none;font-size:.9rem}
    details{border-top:1px solid var(--line);margin-top:1.5rem}
    summary{cursor:pointer;padding:.5rem 0}
    summary h2{display:inline;margin:0}
    dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1rem;margin:.5rem 0}
    dt{color:var(--faint)}
    dd{margin:0}
    .scroll{overflow-x:auto;position:relative;margin:.75rem 0}
    table{border-collapse:collapse;font-size:.9rem;font-variant-numeric:tabular-nums;\
    overflow-wrap:normal}
    caption{text-align:left;padding:.25rem 0;font-size:.9rem}
    th,td{padding:.3rem .75rem .3rem 0;text-align:left;vertical-align:top;\
    border-bottom:1px solid var(--line)}
    th{font-weight:600}
    thead th{color:var(--faint)}
    .number{text-align:right;white-space:nowrap}
    tr:target td{background:var(--soft);box-shadow:inset 0 2px var(--near)}
    tr:has(+.parts) td{border-bottom:0}
    .parts td{padding-top:0;color:var(--faint);font-size:.85rem}
    .parts ul{display:flex;flex-wrap:wrap;gap:0 1rem;margin:0;padding:0;list-style:none}
    .bar{width:16rem}tr:has(.bar) :is(th,td){border:0;padding-block:.1rem}.bar+td{color:var(--faint)}
    .bar svg{display:block;width:100%;height:1rem}
    .findings li{margin:.75rem 0}
    .action{padding-left:.75rem;border-left:3px solid var(--good)}
    figure{margin:.75rem 0}[id]{scroll-margin-top:3rem}
    figcaption{font-size:.875rem}
    .frames{display:block;overflow:visible;width:calc(100% - 4rem);margin-left:4rem;touch-action:pan-y;user-select:none}
    .lanes .frames{width:calc(100% - 6rem);margin-left:6rem}
    .frames text{fill:var(--ink);font:12px system-ui,sans-serif;paint-order:stroke;\
    stroke:var(--page);stroke-width:3px;stroke-linejoin:round}
    .frames .lane,.frames .time{fill:var(--faint)}
    .frames line{vector-effect:non-scaling-stroke}
    .grid{stroke:var(--line)}
    .deadline{stroke:var(--ink);stroke-dasharray:4 3}
    path.good,rect.good{fill:var(--good)}
    path.late,rect.late,circle.late{fill:var(--late)}.not-evaluated path.late{fill:var(--near)}
    path.faint{fill:var(--work)}
    path.blank{fill:var(--near)}
    path.waiting{fill:var(--work);fill-opacity:.4}
    rect.idle{fill:var(--soft)}
    path.moving{fill:var(--near)}
    .hint,.readout{margin:.25rem 0;color:var(--faint);font-size:.875rem;font-variant-numeric:tabular-nums}
    .readout{min-height:1.3rem;color:var(--ink)}
    .graph svg{cursor:crosshair}.mark{cursor:pointer}.covered{display:none}
    .frames .mark text{text-anchor:middle;fill:var(--late-text);font-weight:600}
    .mark circle{fill:var(--late)}.frames .peak{fill:var(--late-text)}.range{fill:var(--good);fill-opacity:.2}
    rect.moving{fill:var(--near);fill-opacity:.35}.frames .span text{stroke:none}
    code{font-size:.85em}.copy{padding:0 .4rem;font-size:.8rem}
    .lanes svg rect{stroke:var(--page);stroke-width:.5}.short text{display:none}
    .instant{stroke:var(--faint);stroke-opacity:.6}
    .lanes .main{fill:var(--good);fill-opacity:.4}.lanes .other{fill:var(--work);fill-opacity:.45}
    .lanes .run{fill:var(--good);fill-opacity:.8}.lanes .ready{fill:var(--late);fill-opacity:.8}
    .lanes .blocked{fill:var(--near);fill-opacity:.5}.overrun{fill:var(--late);fill-opacity:.12}
    .flame{display:block;width:100%;min-width:40rem}
    .flame rect.plain{fill:var(--near);fill-opacity:.45}.flame rect.strong{fill:var(--good);fill-opacity:.45}\
    .flame rect.late{fill:var(--late);fill-opacity:.6}.flame rect.good{fill:var(--good);fill-opacity:.7}\
    .flame rect.faint{fill:var(--work);fill-opacity:.35}
    .flame text{fill:var(--ink);font:12px system-ui,sans-serif;white-space:pre}
    .stacks{margin:.25rem 0;border:0}.stacks ul{margin:0;padding-left:1rem;font-size:.85rem}
    .beside{display:grid;gap:0 2rem;grid-template-columns:repeat(auto-fit,minmax(min(100%,30rem),1fr))}
    .beside div{min-width:0}
    .together{grid-template-columns:1fr}.together h3{margin:.25rem 0}.together figure{margin:0}
    .zoom{display:flex;flex-wrap:wrap;gap:.5rem;margin:.5rem 0 0}.zoom[hidden]{display:none}
    button{padding:.25rem .7rem;border:1px solid var(--line);border-radius:.4rem;\
    background:var(--soft);color:var(--ink);font:inherit;font-size:.875rem;cursor:pointer}
    button:disabled{opacity:.5;cursor:default}
    @media (max-width:40rem){body{padding:.75rem;font-size:.95rem;line-height:1.4}\
    .frames{width:calc(100% - 3.5rem);margin-left:3.5rem}.lanes .frames{width:calc(100% - 5rem);margin-left:5rem}.frames text{font-size:11px}.lanes .time.odd{display:none}h1{font-size:1.2rem}h2{margin:.75rem 0 .25rem}h3,figure,.together h3{margin:.25rem 0 0}\
    .statement{font-size:1rem}.bar{width:auto}\
    table:has(.bar){display:block}tr:has(.bar){display:grid;grid-template-columns:1fr 3rem 7rem}\
    .bar+td{grid-column:1/-1;margin-top:-.35rem;font-size:.8rem}.scroll:has(.bar){margin:.3rem 0}\
    dl{grid-template-columns:1fr}dd{margin:0 0 .4rem .75rem}}
    @media (max-width:30rem){table:has(thead),thead,tbody,caption{display:block}\
    tr:has(th[scope=col]),thead~tbody tr{display:grid;border-bottom:1px solid var(--line);\
    grid-template-columns:repeat(auto-fit,minmax(5.4rem,1fr))}\
    thead th,thead~tbody td{border:0;padding:.15rem .4rem .15rem 0;overflow-wrap:break-word}\
    thead .number{white-space:normal}tr:has(+.parts){border:0}.parts td,\
    thead :not(.number):is(:first-child,:last-child),\
    thead~tbody td:not(.number):is(:first-child,:last-child){grid-column:1/-1}}
    @media print{details::details-content{content-visibility:visible;block-size:auto}}
    @media print{nav,.zoom,.hint,.readout,.copy{display:none}body{max-width:none;padding:0;font-size:10pt}\
    tr,figure,.findings li{break-inside:avoid}h2,h3,caption{break-after:avoid}\
    .scroll{overflow:visible}path,rect,circle{print-color-adjust:exact}}
    """
}
