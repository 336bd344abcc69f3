// A click on a heading sorts by its column, numbers as numbers and empty cells last; the input filters by name and group.
const TEXT_COLUMNS = 2;
const body = document.querySelector('tbody'), rows = [...body.rows], heads = [...document.querySelectorAll('th')];

function value(row, column) {
  const text = row.cells[column].textContent, number = parseFloat(text);
  return text === '' ? null : column < TEXT_COLUMNS || isNaN(number) ? text : number;
}

function sort(column, up) {
  rows.sort((a, b) => {
    const x = value(a, column), y = value(b, column);
    if (x === null || y === null) return (x === null) - (y === null);
    return (x < y ? -1 : x > y ? 1 : 0) * (up ? 1 : -1);
  });
  body.append(...rows);
}

heads.forEach((head, column) => head.onclick = () => {
  const before = head.getAttribute('aria-sort'), up = before ? before === 'descending' : column < TEXT_COLUMNS;
  heads.forEach(other => other.removeAttribute('aria-sort'));
  head.setAttribute('aria-sort', up ? 'ascending' : 'descending');
  sort(column, up);
});

document.querySelector('input').oninput = event => {
  const wanted = event.target.value.toLowerCase();
  rows.forEach(row => row.hidden = !(row.cells[0].textContent + ' ' + row.cells[1].textContent).toLowerCase().includes(wanted));
};
