"""Whether the right tool is picked among many: see picking.py. (lesson 04)"""

from tools.selection.picking import Question as Question
from tools.selection.picking import Row as Row
from tools.selection.picking import SelectionError as SelectionError
from tools.selection.picking import evaluate as evaluate
from tools.selection.picking import helpdesk as helpdesk
from tools.selection.picking import neighbours as neighbours
from tools.selection.picking import read_list as read_list
from tools.selection.picking import read_questions as read_questions
from tools.selection.picking import summary as summary
from tools.selection.sampling import experiment as experiment
from tools.selection.sampling import wilson as wilson
